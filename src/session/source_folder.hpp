// SPDX-License-Identifier: Apache-2.0
// The files that a program may load: those in the folder of the program and below it, and nothing
// else. A path that is absolute, has .. in it, or leads out through a link is refused, so that a
// program from elsewhere cannot read more than what came with it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace chancel {

class SourceFolder {
 public:
  // Nothing can be loaded.
  SourceFolder() = default;
  // The folder of the file `program`; the current one when it names no file.
  explicit SourceFolder(const std::string& program);
  static SourceFolder at(std::string folder);

  bool allowed() const { return allowed_; }
  // The file of a namespace: a.b-c is a/b_c.clj, or a/b-c.clj as it is written; for a program that
  // calls itself a.main, which lies in a folder of its own, b-c.clj beside it as well. Nothing: there
  // is none.
  std::optional<std::string> find(const std::string& ns, const std::string& main_namespace) const;
  // The path of a file that the program names; nothing: `why` says why it may not, or that it is
  // not there.
  std::optional<std::string> resolve(std::string_view relative, std::string* why) const;

 private:
  bool allowed_ = false;
  std::string folder_;
};

}  // namespace chancel
