// SPDX-License-Identifier: Apache-2.0
#include "project/contained_path.hpp"

#include <algorithm>
#include <filesystem>

namespace chancel {

namespace fs = std::filesystem;

std::string path_in(const std::string& folder, std::string_view relative) {
  const std::string_view start = relative.starts_with("./") ? relative.substr(2) : relative;
  return folder.empty() || folder == "." ? std::string(start) : (fs::path(folder) / start).string();
}

bool stays_below(std::string_view relative) {
  const fs::path path{std::string(relative)};
  return !path.empty() && !path.is_absolute() &&
         std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

bool is_really_below(const std::string& folder, const std::string& path) {
  std::error_code no_root, no_path;
  const fs::path root = fs::canonical(folder.empty() ? "." : folder, no_root);
  const fs::path real = fs::canonical(path.empty() ? "." : path, no_path);
  if (no_root || no_path) return false;
  const auto end = std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first;
  return end == root.end();
}

std::optional<std::string> contained_path(const std::string& folder, std::string_view relative,
                                          std::string* why) {
  if (!stays_below(relative)) {
    *why = "only files in the folder of the program and below it can be loaded";
    return std::nullopt;
  }
  const std::string whole = path_in(folder, relative);
  std::error_code error;
  if (!fs::exists(whole, error)) {
    *why = "there is no such file in the folder of the program";
    return std::nullopt;
  }
  if (!is_really_below(folder, whole)) {
    *why = "it leads out of the folder of the program";
    return std::nullopt;
  }
  return whole;
}

}  // namespace chancel
