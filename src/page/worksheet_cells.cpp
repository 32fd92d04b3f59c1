// SPDX-License-Identifier: Apache-2.0
// The segments of a worksheet, by the lines that begin and end them: see chancel/worksheet.hpp.
#include <algorithm>

#include "chancel/worksheet.hpp"

namespace chancel {
namespace {

std::string_view trimmed_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  std::vector<WorksheetCell> split() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size() - 1) + 1;
      ++line_;
      line(text_.substr(at, end - at), at, end);
      at = end;
    }
    finish_code(text_.size());
    finish_markdown();
    return std::move(cells_);
  }

 private:
  enum class Segment { Code, Markdown, Output };

  void line(std::string_view whole, std::size_t begin, std::size_t end) {
    const std::string_view mark = trimmed_end(whole.substr(0, whole.find('\n')));
    if (segment_ == Segment::Output) {
      if (mark == closing_) start_code(end);
      return;
    }
    if (segment_ == Segment::Markdown) {
      if (mark == ";; **") {
        finish_markdown();
        start_code(end);
        return;
      }
      // ";;; text"; other lines are kept as they are.
      std::string_view text = trimmed_end(whole.substr(0, whole.find('\n')));
      if (text.starts_with(";;;")) {
        text.remove_prefix(3);
        if (text.starts_with(' ')) text.remove_prefix(1);
      }
      markdown_ += text;
      markdown_ += '\n';
      return;
    }
    if (mark == ";; **") {
      finish_code(begin);
      segment_ = Segment::Markdown;
      markdown_.clear();
      markdown_line_ = line_;
    } else if (mark == ";; @@" || mark.starts_with(";; gorilla-repl.fileformat")) {
      finish_code(begin);
      start_code(end);
    } else if (mark == ";; =>" || mark == ";; ->") {
      finish_code(begin);
      segment_ = Segment::Output;
      closing_ = mark == ";; =>" ? ";; <=" : ";; <-";
    }
  }

  void start_code(std::size_t begin) {
    segment_ = Segment::Code;
    code_begin_ = begin;
    code_line_ = line_ + 1;
  }
  void finish_code(std::size_t end) {
    if (segment_ != Segment::Code || end <= code_begin_) return;
    const std::string_view code = text_.substr(code_begin_, end - code_begin_);
    if (!is_blank(code)) cells_.push_back({false, std::string(code), code_begin_, end, code_line_});
    code_begin_ = end;
  }
  void finish_markdown() {
    if (segment_ != Segment::Markdown || is_blank(markdown_)) return;
    cells_.push_back({true, markdown_, 0, 0, markdown_line_});
    markdown_.clear();
  }

  std::string_view text_;
  std::vector<WorksheetCell> cells_;
  Segment segment_ = Segment::Code;
  std::string_view closing_;
  std::string markdown_;
  std::size_t line_ = 0, code_begin_ = 0, code_line_ = 1, markdown_line_ = 0;
};

}  // namespace

std::vector<WorksheetCell> worksheet_cells(std::string_view text) { return Splitter(text).split(); }

}  // namespace chancel
