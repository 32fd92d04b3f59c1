// SPDX-License-Identifier: Apache-2.0
#include "program_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "console.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

bool looks_like_namespace(const std::string& word) {
  return !word.empty() && word[0] != '/' && word[0] != '.' && !word.ends_with(".clj") &&
         !word.ends_with(".cljc") && !word.ends_with(".vnt") &&
         std::count(word.begin(), word.end(), '/') <= 1 && !word.ends_with('/');
}

std::string paths_of(const Project& project) {
  std::string all;
  for (const auto* paths : {&project.source_paths, &project.test_paths, &project.resource_paths})
    for (const std::string& path : *paths) all += (all.empty() ? "" : ", ") + path;
  return all.empty() ? "none of src, test, resources is there" : all;
}

}  // namespace

ProgramFile find_program(const std::string& word) {
  std::error_code error;
  if (word == "-" || std::filesystem::exists(word, error) || !looks_like_namespace(word))
    return {word, ""};
  const std::optional<Project> project = find_project("");
  if (!project) return {word, ""};
  const std::size_t slash = word.find('/');
  const std::string ns = word.substr(0, slash);
  const std::optional<std::string> path = file_of_namespace(*project, ns);
  if (path) return {*path, slash == word.npos ? "" : word.substr(slash + 1)};
  throw UsageError(fmt::format("there is neither a file {} nor a namespace {} in the project of {}",
                               word, ns, project->file),
                   fmt::format("the paths that were searched: {}", paths_of(*project)), "U002",
                   ExitCode::NoInput);
}

Project current_project(const std::string& command) {
  if (std::optional<Project> project = find_project("")) return *std::move(project);
  throw UsageError(fmt::format("{}: FILE is missing, and there is no project here", command),
                   "name a file, or go to a folder with a project.clj or deps.edn in it or above");
}

void note_project(const std::string& path, bool quiet) {
  static bool told = false;
  if (told || quiet || path == "-") return;
  const std::optional<Project> project = find_project(path);
  if (!project) return;
  told = true;
  for (const Message& warning : project->warnings) show_message(warning);
  if (project->dependencies.empty()) return;
  write_error(fmt::format("chancel: note: {}: dependencies are not loaded: {}\n", project->file,
                          join(project->dependencies)));
}

}  // namespace chancel::tool
