// SPDX-License-Identifier: Apache-2.0
// Programs of the source tree, and the data that belong to them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "recorded_program.hpp"

namespace recorded {

namespace fs = std::filesystem;

inline const fs::path kRoot = CHANCEL_SOURCE_DIR;

// The data that belong to a program: data.json beside it, data/NAME.json below, or what its second
// comment line says.
inline std::string data_of(const fs::path& program, std::string* name) {
  const fs::path places[] = {program.parent_path() / "data.json",
                             program.parent_path() / "data" / (program.stem().string() + ".json")};
  for (const fs::path& place : places)
    if (fs::exists(place)) {
      *name = place.filename();
      return read_file(place);
    }
  const std::string text = read_file(program);
  const std::string word = "--data ";
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + word.size();
  const fs::path place = kRoot / text.substr(begin, text.find_first_of(" \n", begin) - begin);
  *name = place.filename();
  return fs::exists(place) ? read_file(place) : "";
}

inline std::vector<fs::path> programs_below(const char* folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.path().extension() == ".clj") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace recorded
