// SPDX-License-Identifier: Apache-2.0
#include "project/source_files.hpp"

#include <algorithm>
#include <filesystem>

#include "project/contained_path.hpp"

namespace chancel {

namespace fs = std::filesystem;

namespace {

std::string with(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

// Where the file of a namespace may lie below a root, the most usual place first.
std::vector<std::string> file_names(const std::string& ns) {
  const std::string folders = with(ns, '.', '/');
  std::vector<std::string> names;
  for (const std::string& stem : {with(folders, '-', '_'), folders, ns})
    for (const char* ending : {".clj", ".cljc"})
      if (std::find(names.begin(), names.end(), stem + ending) == names.end())
        names.push_back(stem + ending);
  return names;
}

std::optional<std::string> find_in(const std::vector<std::string>& roots, const std::string& ns) {
  std::string why;
  std::error_code error;
  for (const std::string& root : roots)
    for (const std::string& name : file_names(ns))
      if (auto path = contained_path(root, name, &why); path && fs::is_regular_file(*path, error))
        return path;
  return std::nullopt;
}

std::vector<std::string> roots_of(const Project& project) {
  std::vector<std::string> roots;
  for (const auto* paths : {&project.source_paths, &project.test_paths, &project.resource_paths})
    for (const std::string& path : *paths) roots.push_back(path_in(project.folder, path));
  return roots;
}

}  // namespace

SourceFiles::SourceFiles(const std::string& program) {
  std::error_code error;
  const fs::path path(program);
  *this = at(fs::is_regular_file(path, error) ? path.parent_path().string() : "");
}

SourceFiles SourceFiles::at(const std::string& folder) {
  SourceFiles made;
  made.allowed_ = true;
  made.folder_ = folder;
  made.project_ = find_project(folder);
  if (made.project_) made.roots_ = roots_of(*made.project_);
  made.roots_.push_back(folder);
  return made;
}

std::optional<std::string> SourceFiles::find(const std::string& ns,
                                             const std::string& main_namespace) const {
  if (auto found = find_in(roots_, ns)) return found;
  const std::size_t dot = ns.rfind('.');
  if (allowed_ && dot != std::string::npos && main_namespace.rfind('.') == dot &&
      ns.compare(0, dot, main_namespace, 0, dot) == 0)
    return find_in({folder_}, ns.substr(dot + 1));
  return std::nullopt;
}

std::string SourceFiles::places_of(const std::string& ns) const {
  std::string places;
  for (const std::string& root : roots_)
    places += (places.empty() ? "" : ", ") + path_in(root, file_names(ns).front());
  return places;
}

bool SourceFiles::is_own(const std::string& ns) const {
  const std::string first = with(ns.substr(0, ns.find('.')), '-', '_');
  std::error_code error;
  return project_ && std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) {
           return fs::is_directory(path_in(root, first), error);
         });
}

std::optional<std::string> SourceFiles::resolve(std::string_view relative, std::string* why) const {
  if (!allowed_) {
    *why = "files are out of reach here (--no-files)";
    return std::nullopt;
  }
  std::vector<std::string> folders = {folder_};
  if (project_) {
    folders.push_back(project_->folder);
    folders.insert(folders.end(), roots_.begin(), roots_.end() - 1);
  }
  std::error_code error;
  std::string first;
  for (const std::string& folder : folders) {
    auto found = contained_path(folder, relative, why);
    if (found && fs::is_regular_file(*found, error)) return found;
    if (first.empty()) first = found ? "it is not a file" : *why;
  }
  *why = first;
  return std::nullopt;
}

std::optional<std::string> SourceFiles::resource(std::string_view relative) const {
  if (!allowed_) return std::nullopt;
  std::vector<std::string> folders;
  if (project_) {
    for (const auto* paths :
         {&project_->resource_paths, &project_->source_paths, &project_->test_paths})
      for (const std::string& path : *paths) folders.push_back(path_in(project_->folder, path));
  } else {
    folders = {folder_, path_in(folder_, "resources")};
  }
  std::string why;
  for (const std::string& folder : folders)
    if (auto found = contained_path(folder, relative, &why)) return found;
  return std::nullopt;
}

std::string SourceFiles::data(std::string_view path) const {
  const std::string given(path);
  std::error_code error;
  if (given.empty() || fs::path(given).is_absolute() || fs::exists(given, error)) return given;
  if (project_)
    if (std::string there = path_in(project_->folder, given); fs::exists(there, error))
      return there;
  if (std::string there = path_in(folder_, given); fs::exists(there, error)) return there;
  return given;
}

std::optional<std::string> file_of_namespace(const Project& project, const std::string& ns) {
  return find_in(roots_of(project), ns);
}

std::vector<std::string> test_files(const Project& project) {
  std::vector<std::string> files;
  for (const std::string& path : project.test_paths) {
    const std::string root = path_in(project.folder, path);
    std::error_code error;
    for (fs::recursive_directory_iterator at(root, error), end; !error && at != end;
         at.increment(error)) {
      const std::string ending = at->path().extension().string();
      const bool hidden = at->path().filename().string().starts_with(".");
      if (!hidden && (ending == ".clj" || ending == ".cljc") && at->is_regular_file(error) &&
          is_really_below(root, at->path().string()))
        files.push_back(at->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace chancel
