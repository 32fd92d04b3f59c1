// SPDX-License-Identifier: Apache-2.0
// See source_folder.hpp.
#include "session/source_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace chancel {

namespace fs = std::filesystem;

SourceFolder::SourceFolder(const std::string& program) : allowed_(true) {
  std::error_code error;
  const fs::path path(program);
  folder_ = fs::is_regular_file(path, error) ? path.parent_path().string() : "";
}

SourceFolder SourceFolder::at(std::string folder) {
  SourceFolder made;
  made.allowed_ = true;
  made.folder_ = std::move(folder);
  return made;
}

std::optional<std::string> SourceFolder::resolve(std::string_view relative,
                                                 std::string* why) const {
  const fs::path path{std::string(relative)};
  if (!allowed_) {
    *why = "files are out of reach here (--no-files)";
    return std::nullopt;
  }
  const bool climbs =
      std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
  if (path.is_absolute() || climbs || relative.empty()) {
    *why = "only files in the folder of the program and below it can be loaded";
    return std::nullopt;
  }
  std::error_code error;
  const fs::path whole = fs::path(folder_) / path;
  if (!fs::is_regular_file(whole, error)) {
    *why = "there is no such file in the folder of the program";
    return std::nullopt;
  }
  // Links may lead anywhere.
  const fs::path root = fs::canonical(folder_.empty() ? "." : folder_, error);
  const fs::path real = fs::canonical(whole, error);
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (error || end != root.end()) {
    *why = "it leads out of the folder of the program";
    return std::nullopt;
  }
  return whole.string();
}

std::optional<std::string> SourceFolder::find(const std::string& ns,
                                              const std::string& main_namespace) const {
  if (!allowed_) return std::nullopt;
  std::vector<std::string> candidates;
  const auto add = [&](const std::string& name) {
    std::string folders = name;
    std::replace(folders.begin(), folders.end(), '.', '/');
    std::string underscores = folders;
    std::replace(underscores.begin(), underscores.end(), '-', '_');
    for (const std::string& path : {underscores, folders, name})
      candidates.push_back(path + ".clj");
  };
  add(ns);
  const std::size_t dot = ns.rfind('.'), main_dot = main_namespace.rfind('.');
  if (dot != std::string::npos && main_dot == dot &&
      ns.compare(0, dot, main_namespace, 0, dot) == 0)
    add(ns.substr(dot + 1));
  std::string why;
  for (const std::string& candidate : candidates)
    if (auto path = resolve(candidate, &why)) return path;
  return std::nullopt;
}

}  // namespace chancel
