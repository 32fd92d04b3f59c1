// SPDX-License-Identifier: Apache-2.0
// The files that a program may load: those of its project's paths (chancel/project.hpp), or, of a program without a
// project, those in its folder and below it; and nothing else (contained_path.hpp).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/project.hpp"

namespace chancel {

class SourceFiles {
 public:
  // Nothing can be loaded.
  SourceFiles() = default;
  // Those of the file `program`; of the current folder when it names no file.
  explicit SourceFiles(const std::string& program);
  static SourceFiles at(const std::string& folder);

  bool allowed() const { return allowed_; }
  const std::optional<Project>& project() const { return project_; }

  // The file of a namespace: a.b-c is a/b_c.clj, or a/b-c.clj as it is written, or the same with .cljc; for a program
  // that calls itself a.main, which lies in a folder of its own, b-c.clj beside it as well. Nothing: there is none.
  std::optional<std::string> find(const std::string& ns, const std::string& main_namespace) const;
  // Where find() looks for it, for messages: "src/a/b_c.clj, test/a/b_c.clj".
  std::string places_of(const std::string& ns) const;
  // The namespace would be one of the project's own: one of its paths has the first part of the name.
  bool is_own(const std::string& ns) const;
  // The path of a file that the program names; nothing: `why` says why it may not, or that it is not there.
  std::optional<std::string> resolve(std::string_view relative, std::string* why) const;
  // A file of the resource paths, or of the others.
  std::optional<std::string> resource(std::string_view relative) const;
  // Where a path of data leads: as it is given; else, where nothing is, in the project's folder or the program's.
  std::string data(std::string_view path) const;
  // Below it the program may write: that of the project, or its own.
  std::string folder_to_write() const { return project_ ? project_->folder : folder_; }

 private:
  bool allowed_ = false;
  std::optional<Project> project_;
  std::string folder_;              // of the program
  std::vector<std::string> roots_;  // of namespaces
};

}  // namespace chancel
