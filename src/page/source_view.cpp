// SPDX-License-Identifier: Apache-2.0
#include "page/source_view.hpp"

#include <algorithm>
#include <map>

#include "base/utf8.hpp"
#include "chancel/chancel.hpp"
#include "page/html_text.hpp"
#include "reader/characters.hpp"
#include "reader/token.hpp"

namespace chancel::page {
namespace {

// Forms of the three dialects; the rest of the names comes from the library.
constexpr std::string_view kForms[] = {
    "and",         "assume",   "case",      "catch",   "cond",
    "cond->",      "cond->>",  "condp",     "def",     "defanglican",
    "defdist",     "defm",     "defmacro",  "defn",    "defproc",
    "defprotocol", "defquery", "defrecord", "do",      "doquery",
    "doseq",       "dotimes",  "eval",      "finally", "fm",
    "fn",          "for",      "foreach",   "if",      "if-let",
    "if-not",      "lambda",   "let",       "letfn",   "loop",
    "mem",         "observe",  "or",        "predict", "query",
    "quote",       "recur",    "sample",    "throw",   "try",
    "when",        "when-let", "when-not",  "while",   "with-primitive-procedures",
    "->",          "->>"};

std::map<std::string, char, std::less<>> known_names() {
  std::map<std::string, char, std::less<>> names;
  for (const FunctionInfo& info : library()) {
    const char kind = info.kind == "form"                                     ? 'f'
                      : info.kind == "distribution" || info.kind == "process" ? 'd'
                                                                              : 'l';
    names.emplace(info.name, kind);
  }
  for (const std::string_view form : kForms) names[std::string(form)] = 'f';
  return names;
}

class Painter {
 public:
  explicit Painter(std::string_view text) : text_(text), names_(known_names()) {}

  std::vector<std::string> lines() {
    while (at_ < text_.size()) paint_one();
    lines_.push_back(std::move(line_));
    // A text ends with a line end: that does not start another line.
    if (lines_.size() > 1 && lines_.back().empty()) lines_.pop_back();
    return std::move(lines_);
  }

 private:
  void paint_one() {
    const char c = text_[at_];
    const DecodedChar decoded = decode_utf8(text_, at_);
    if (c == ';' || (c == '#' && next() == '!')) {
      const std::size_t end = text_.find('\n', at_);
      take(end == std::string_view::npos ? text_.size() : end, 'c');
    } else if (c == '"') {
      take(string_end(at_ + 1), 's');
    } else if (c == '#' && next() == '"') {
      take(string_end(at_ + 2), 's');
    } else if (c == '\\') {
      // The character itself may be a bracket; letters after it are its name.
      std::size_t end = at_ + 1;
      if (end < text_.size()) end += decode_utf8(text_, end).length;
      take(token_end(end), 's');
    } else if (is_white_space(decoded.code_point) || is_control(decoded.code_point)) {
      take(at_ + decoded.length, ' ');
    } else if (is_terminator(decoded.code_point) || c == '\'' || c == '#') {
      take(at_ + 1, ' ');
    } else {
      const std::size_t end = token_end(at_ + decoded.length);
      take(end, kind_of(text_.substr(at_, end - at_)));
    }
  }

  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  std::size_t string_end(std::size_t from) const {
    while (from < text_.size() && text_[from] != '"') from += text_[from] == '\\' ? 2 : 1;
    return std::min(from + 1, text_.size());
  }
  std::size_t token_end(std::size_t from) const {
    while (from < text_.size()) {
      const DecodedChar c = decode_utf8(text_, from);
      if (is_white_space(c.code_point) || is_terminator(c.code_point)) break;
      from += c.length;
    }
    return from;
  }

  char kind_of(std::string_view token) const {
    DiagnosticSink ignored;
    Datum datum;
    if (!parse_token(token, {}, datum, ignored)) return ' ';
    switch (datum.kind) {
      case DatumKind::Keyword:
        return 'k';
      case DatumKind::Symbol: {
        const auto found = names_.find(token);
        return found == names_.end() ? ' ' : found->second;
      }
      case DatumKind::Nil:
      case DatumKind::Bool:
        return 'v';
      default:
        return 'n';
    }
  }

  // Everything up to `end` in one colour, line by line.
  void take(std::size_t end, char kind) {
    while (at_ < end) {
      const std::size_t stop = std::min(end, text_.find('\n', at_));
      const std::string_view piece = text_.substr(at_, stop - at_);
      if (!piece.empty()) {
        const bool plain = kind == ' ';
        if (!plain) line_ += std::string("<i class=\"") + kind + "\">";
        line_ += html(piece);
        if (!plain) line_ += "</i>";
      }
      at_ = stop;
      if (at_ < end) {  // a line end
        lines_.push_back(std::move(line_));
        line_.clear();
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::map<std::string, char, std::less<>> names_;
  std::size_t at_ = 0;
  std::vector<std::string> lines_;
  std::string line_;
};

}  // namespace

std::vector<std::string> coloured_lines(std::string_view text) { return Painter(text).lines(); }

}  // namespace chancel::page
