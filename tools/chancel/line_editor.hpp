// SPDX-License-Identifier: Apache-2.0
// One line at a time from a person: editing, history that outlives the session, completion
// (libedit), Ctrl-C to drop the line. From a pipe or without libedit, plain lines.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace chancel::tool {

class LineEditor {
 public:
  using Complete = std::function<std::vector<std::string>(std::string_view prefix)>;
  enum class Outcome { Line, End, Interrupted };

  // Empty `history_file` = none.
  LineEditor(bool interactive, std::string history_file, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // The line without its newline.
  Outcome read(const std::string& prompt, std::string* line);
  void remember(const std::string& entry);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chancel::tool
