// SPDX-License-Identifier: Apache-2.0
// The source texts of a run and the way from an offset to a line and column. Texts are kept for the
// life of the map, because messages may be rendered long after reading. Columns count characters
// (UTF-8), lines from 1.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "diag/span.hpp"

namespace chancel {

struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

class SourceMap {
 public:
  // Returns the file index to put in spans (from 1).
  std::uint32_t add(std::string name, std::string text);
  const std::string& name(std::uint32_t file) const { return files_[file - 1].name; }
  std::string_view text(std::uint32_t file) const { return files_[file - 1].text; }
  std::string_view text(Span span) const;
  std::size_t size() const { return files_.size(); }
  Position position(std::uint32_t file, std::uint32_t offset) const;
  std::string_view line_text(std::uint32_t file, std::uint32_t line) const;  // without its newline
  std::uint32_t line_start(std::uint32_t file, std::uint32_t line) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  std::deque<File> files_;
};

}  // namespace chancel
