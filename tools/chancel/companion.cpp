// SPDX-License-Identifier: Apache-2.0
#include "companion.hpp"

#include <unistd.h>

#include <filesystem>

#include "console.hpp"

namespace chancel::tool {

namespace fs = std::filesystem;

std::string own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

void become(const std::string& name, const Arguments& arguments) {
  const fs::path here = fs::path(own_path()).parent_path();
  for (const fs::path& place : {here, here.parent_path() / "libexec" / "chancel"}) {
    const std::string program = (place / name).string();
    if (access(program.c_str(), X_OK) != 0) continue;
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    flush_output();
    execv(program.c_str(), words.data());
  }
}

}  // namespace chancel::tool
