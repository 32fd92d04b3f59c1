// SPDX-License-Identifier: Apache-2.0
// A diagnostic as people read it:
//
//     models/hmm/hmm.clj:7:25: error[D001]: normal: sd must be positive, got -1
//        7 |     (observe (normal mu -1) y)
//          |                         ^^
//     models/hmm/hmm.clj:2:3: note: sd comes from here
//        2 |   (let [sd -1]
//          |         ^^
//     hint: give a positive number
//
// The caret line is built character by character: tabs are shown as four blanks, control characters
// and broken UTF-8 as '?', wide lines are cut to kMaxWidth characters around the caret. A span over
// several lines is underlined to the end of its first line. Spans of unknown place show the
// sentence alone.
#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "diag/diagnostic.hpp"

namespace chancel {
namespace {

constexpr std::size_t kMaxWidth = 100;  // characters of source shown
constexpr std::size_t kContext = 30;    // characters kept before the caret when a line is cut
constexpr const char* kCut = "...";

struct Paint {
  const char* severity;
  const char* caret;
  const char* bold;
  const char* off;
};

Paint paint_of(Severity severity, bool colour) {
  if (!colour) return {"", "", "", ""};
  const char* tone = severity == Severity::Error     ? "\x1b[1;31m"
                     : severity == Severity::Warning ? "\x1b[1;35m"
                                                     : "\x1b[1;36m";
  return {tone, tone, "\x1b[1m", "\x1b[0m"};
}

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

// One source line as cells of one column each, with the cells that belong to the span.
struct Cells {
  std::vector<std::string> glyphs;
  std::size_t mark_begin = 0;
  std::size_t mark_end = 0;
};

Cells cells_of(std::string_view line, std::size_t begin, std::size_t end) {
  Cells cells;
  cells.mark_begin = cells.mark_end = std::string_view::npos;
  for (std::size_t i = 0; i < line.size();) {
    if (i >= begin && cells.mark_begin == std::string_view::npos) {
      cells.mark_begin = cells.glyphs.size();
    }
    if (i >= end && cells.mark_end == std::string_view::npos) cells.mark_end = cells.glyphs.size();
    const DecodedChar c = decode_utf8(line, i);
    if (c.code_point == '\t') {
      cells.glyphs.insert(cells.glyphs.end(), 4, " ");
    } else if (!c.valid || c.code_point < 0x20 || (c.code_point >= 0x7F && c.code_point < 0xA0)) {
      cells.glyphs.emplace_back("?");
    } else {
      cells.glyphs.emplace_back(line.substr(i, c.length));
    }
    i += c.length;
  }
  cells.mark_begin = std::min(cells.mark_begin, cells.glyphs.size());
  cells.mark_end = std::min(cells.mark_end, cells.glyphs.size());
  // An empty span still has a caret.
  cells.mark_end = std::max(cells.mark_end, cells.mark_begin + 1);
  return cells;
}

// The part of a line that an excerpt can show: a line of a megabyte with a thousand mistakes is not
// gone through a thousand times. Characters have at most four bytes.
std::string_view near(std::string_view line, std::size_t place, std::size_t* cut) {
  constexpr std::size_t kReach = 4 * (kMaxWidth + kContext);
  *cut = place > kReach ? place - kReach : 0;
  while (*cut > 0 && (static_cast<unsigned char>(line[*cut]) & 0xC0) == 0x80) --*cut;
  return line.substr(*cut, 2 * kReach + 4);
}

void add_excerpt(std::string& out, Span span, const SourceMap& sources, const Paint& paint) {
  const std::uint32_t line = sources.position(span.file, span.begin).line;
  const std::string_view whole = sources.line_text(span.file, line);
  const std::size_t line_start = sources.line_start(span.file, line);
  std::size_t cut = 0;
  const std::string_view text =
      near(whole, std::min<std::size_t>(span.begin, line_start + whole.size()) - line_start, &cut);
  const std::size_t start = line_start + cut;
  // Offsets within the line; a place past the last character (an unclosed bracket at the end of a
  // file) gets its caret just after the text.
  const std::size_t begin = std::min<std::size_t>(span.begin, start + text.size()) - start;
  const std::size_t end =
      std::clamp<std::size_t>(span.end, start + begin, start + text.size()) - start;
  const Cells cells = cells_of(text, begin, end);

  std::size_t from = 0;
  std::size_t to = cells.glyphs.size();
  if (to > kMaxWidth) {
    if (cells.mark_begin + kContext > kMaxWidth) from = cells.mark_begin - kContext;
    to = std::min(to, from + kMaxWidth);
  }
  const bool cut_left = from > 0;
  const bool cut_right = to < cells.glyphs.size();

  std::string shown = cut_left ? kCut : "";
  for (std::size_t i = from; i < to; ++i) shown += cells.glyphs[i];
  if (cut_right) shown += kCut;
  const std::size_t last = shown.find_last_not_of(' ');
  shown.erase(last == std::string::npos ? 0 : last + 1);
  const std::size_t mark_end = cut_right ? std::min(cells.mark_end, to) : cells.mark_end;
  const std::string blanks((cut_left ? 3 : 0) + (cells.mark_begin - from), ' ');
  const std::string carets(mark_end - cells.mark_begin, '^');

  const std::string number = fmt::format("{:>4}", line);
  out += fmt::format("{} |{}{}\n", number, shown.empty() ? "" : " ", shown);
  out +=
      fmt::format("{:{}} | {}{}{}{}\n", "", number.size(), blanks, paint.caret, carets, paint.off);
}

bool has_place(Span span, const SourceMap& sources) {
  return span.known() && span.file <= sources.size();
}

void add_part(std::string& out, Span span, Severity severity, const char* code,
              const std::string& message, const SourceMap& sources, bool colour) {
  const Paint paint = paint_of(severity, colour);
  if (has_place(span, sources)) {
    const Position at = sources.position(span.file, span.begin);
    out += fmt::format("{}{}:{}:{}:{} ", paint.bold, sources.name(span.file), at.line, at.column,
                       paint.off);
  }
  out += fmt::format("{}{}", paint.severity, severity_name(severity));
  if (code != nullptr) out += fmt::format("[{}]", code);
  out += fmt::format(":{} {}\n", paint.off, message);
  if (has_place(span, sources)) add_excerpt(out, span, sources, paint);
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool colour) {
  std::string out;
  add_part(out, diagnostic.span, diagnostic.severity, code_name(diagnostic.code),
           diagnostic.message, sources, colour);
  for (const DiagnosticNote& note : diagnostic.notes) {
    add_part(out, note.span, Severity::Note, nullptr, note.text, sources, colour);
  }
  if (!diagnostic.hint.empty()) {
    const Paint paint = paint_of(Severity::Note, colour);
    out += fmt::format("{}hint:{} {}\n", paint.severity, paint.off, diagnostic.hint);
  }
  return out;
}

}  // namespace chancel
