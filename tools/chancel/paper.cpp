// SPDX-License-Identifier: Apache-2.0
// chancel paper: starts the program of the paper's experiments (experiments/paper), which is not
// part of this one.
#include <unistd.h>

#include <filesystem>

#include "command.hpp"
#include "console.hpp"
#include "usage.hpp"

namespace chancel::tool {

// Beside this program in a build, in libexec when installed.
int paper_command(const Arguments& arguments) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {here, here.parent_path() / "libexec" / "chancel"}) {
    const std::string program = (place / "chancel-paper").string();
    if (access(program.c_str(), X_OK) != 0) continue;
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    flush_output();
    execv(program.c_str(), words.data());
  }
  throw UsageError("the program of the paper's experiments, chancel-paper, is not here",
                   "`make paper` in the source tree builds and runs it", "U002", ExitCode::NoInput);
}

}  // namespace chancel::tool
