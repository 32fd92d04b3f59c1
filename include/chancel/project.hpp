// SPDX-License-Identifier: Apache-2.0
// The project that a program belongs to: the nearest folder upwards that has a project.clj (Leiningen) or a deps.edn
// (Clojure's command). The file is read as data: nothing in it is evaluated, and no dependency is fetched.
//
//   if (auto project = chancel::find_project("src/bayes/model.clj"))
//     for (const std::string& file : chancel::test_files(*project)) ...
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel {

struct Project {
  std::string folder;  // as it is reached from the current one; "." is that one itself
  std::string file;    // project.clj or deps.edn, with its folder
  std::string name;    // what defproject says, else the last part of the folder
  std::string main;    // the namespace of :main; empty: none
  // Folders that exist, relative to `folder`; nothing outside it is among them.
  std::vector<std::string> source_paths, test_paths, resource_paths;
  std::vector<std::string> dependencies;  // as they are written: "org.clojure/clojure"
  std::vector<Message> warnings;  // the file cannot be read, or a path leads out of the folder
};

// `path`: a file or folder; empty: the current folder.
std::optional<Project> find_project(const std::string& path);
// The file of a namespace: bayes.my-model is bayes/my_model.clj or .cljc in one of the paths.
std::optional<std::string> file_of_namespace(const Project& project, const std::string& ns);
// All source files of the test paths, in the order of their names.
std::vector<std::string> test_files(const Project& project);

}  // namespace chancel
