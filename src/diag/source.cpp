// SPDX-License-Identifier: Apache-2.0
// Offsets to lines by binary search in a table of line starts made once per text. "\r\n" counts as
// one line end; offsets past the end are taken as the end, so that a damaged span can still be
// shown.
#include "diag/source.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace chancel {

std::uint32_t SourceMap::add(std::string name, std::string text) {
  File& file = files_.emplace_back();
  file.name = std::move(name);
  file.text = std::move(text);
  file.line_starts.push_back(0);
  for (std::size_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return static_cast<std::uint32_t>(files_.size());
}

std::string_view SourceMap::text(Span span) const {
  if (!span.known() || span.file > files_.size()) return {};
  const std::string_view all = text(span.file);
  const std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Position SourceMap::position(std::uint32_t file, std::uint32_t offset) const {
  const File& f = files_[file - 1];
  const std::size_t at = std::min<std::size_t>(offset, f.text.size());
  const auto after = std::upper_bound(f.line_starts.begin(), f.line_starts.end(), at);
  const auto line = static_cast<std::uint32_t>(after - f.line_starts.begin());
  const std::size_t start = f.line_starts[line - 1];
  const std::string_view before = std::string_view(f.text).substr(start, at - start);
  return {line, static_cast<std::uint32_t>(utf8_length(before)) + 1};
}

std::uint32_t SourceMap::line_start(std::uint32_t file, std::uint32_t line) const {
  const File& f = files_[file - 1];
  if (line == 0) return 0;
  if (line > f.line_starts.size()) return static_cast<std::uint32_t>(f.text.size());
  return f.line_starts[line - 1];
}

std::string_view SourceMap::line_text(std::uint32_t file, std::uint32_t line) const {
  const File& f = files_[file - 1];
  if (line == 0 || line > f.line_starts.size()) return {};
  const std::size_t start = f.line_starts[line - 1];
  std::size_t end = line < f.line_starts.size() ? f.line_starts[line] - 1 : f.text.size();
  if (end > start && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(start, end - start);
}

}  // namespace chancel
