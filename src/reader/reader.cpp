// SPDX-License-Identifier: Apache-2.0
// The reader proper: one loop over the text and a stack of open brackets and marks (a quote waiting
// for its form is an open mark). Nothing recurses while reading, so deep nesting costs heap, not
// stack. Linear time, except that an unclosed bracket makes it read the rest again from the next
// definition (at most kMaxErrors times).
//
// Recovery: a wrong closing bracket closes the nearest partner, a bad token stands in as nil, and
// the top-level form that holds a mistake is left out of the result.
#include "reader/reader.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/utf8.hpp"
#include "reader/characters.hpp"
#include "reader/duplicates.hpp"
#include "reader/literal.hpp"
#include "reader/shorthand.hpp"
#include "reader/token.hpp"

namespace chancel {
namespace {

constexpr std::size_t kMaxErrors = 20;  // then a text is hopeless
constexpr int kMaxSyntaxQuotes = 4;     // each level multiplies the size of the expansion

enum class Open : std::uint8_t {
  // brackets
  List,
  Vector,
  Map,
  Set,
  FnLiteral,
  Conditional,
  SplicingConditional,
  // marks that take one form
  Quote,
  Deref,
  SyntaxQuote,
  Unquote,
  UnquoteSplicing,
  VarQuote,
  Discard,
  // takes two: the metadata and the form it goes to
  Meta
};

bool is_bracket(Open open) { return open <= Open::SplicingConditional; }

struct Frame {
  Open open;
  Span span;                 // the opening mark
  std::vector<Datum> items;  // what it holds so far
  std::string map_ns;        // #:ns{...}
};

char closer_of(Open open) {
  return open == Open::Vector ? ']' : open == Open::Map || open == Open::Set ? '}' : ')';
}

class Reader {
 public:
  Reader(const SourceMap& sources, std::uint32_t file, Budget* budget,
         Notation notation = Notation::Program)
      : sources_(sources),
        text_(sources.text(file)),
        file_(file),
        budget_(budget),
        notation_(notation) {}

  void read() {
    while (!stopped_ && sink_.list().size() < kMaxErrors) {
      skip_blanks();
      if (frames_.empty()) errors_before_form_ = sink_.list().size();
      if (at_ < text_.size()) {
        read_one();
      } else if (!at_end()) {
        break;
      }
    }
  }

  std::vector<Datum>& forms() { return forms_; }
  const DiagnosticSink& sink() const { return sink_; }
  // The text ended inside a bracket, mark or string, and nothing else was wrong.
  bool incomplete() const { return incomplete_; }
  void take_first_end() { restart_ = false; }

 private:
  // A place where a definition starts in column 1 although brackets are open: if they are still
  // open at the end of the text, the closing bracket was probably forgotten before it.
  struct Suspect {
    std::size_t at;
    std::size_t errors;  // how many there were
    Frame innermost;     // opening only
  };

  Span span(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const DecodedChar c = decode_utf8(text_, at_);
      if (is_white_space(c.code_point)) {
        at_ += c.length;
      } else if (c.code_point == ';' || (c.code_point == '#' && peek(1) == '!')) {
        skip_line();
      } else if (is_control(c.code_point)) {
        sink_.error(Code::S010, span(at_, at_ + c.length),
                    fmt::format("the control character U+{:04X} stands in the text", c.code_point));
        at_ += c.length;
        if (sink_.list().size() >= kMaxErrors) return;
      } else {
        return;
      }
    }
  }

  void read_one() {
    switch (text_[at_]) {
      case '(':
        return open(Open::List, 1);
      case '[':
        return open(Open::Vector, 1);
      case '{':
        return open(Open::Map, 1);
      case ')':
      case ']':
      case '}':
        return close(text_[at_]);
      case '\'':
        return open(Open::Quote, 1);
      case '@':
        return open(Open::Deref, 1);
      case '`':
        return open(Open::SyntaxQuote, 1);
      case '~':
        return peek(1) == '@' ? open(Open::UnquoteSplicing, 2) : open(Open::Unquote, 1);
      case '^':
        return open(Open::Meta, 1);
      case '"':
        return read_string(at_);
      case '\\':
        return read_char(at_);
      case '#':
        return read_dispatch();
      default:
        return read_token();
    }
  }

  void read_dispatch() {
    switch (peek(1)) {
      case '{':
        return open(Open::Set, 2);
      case '(':
        return open(Open::FnLiteral, 2);
      case '\'':
        return open(Open::VarQuote, 2);
      case '_':
        return open(Open::Discard, 2);
      case '^':
        return open(Open::Meta, 2);
      case '"':
        return read_string(at_ + 1);
      case '\\':
        return read_char(at_ + 1);
      case '#':
        return read_symbolic_value();
      case ':':
        return read_namespaced_map();
      case '?':
        if (peek(2) == '@' && peek(3) == '(') return open(Open::SplicingConditional, 4);
        if (peek(2) == '(') return open(Open::Conditional, 3);
        break;
      default:
        break;
    }
    read_tag();
  }

  // ##Inf ##-Inf ##NaN
  void read_symbolic_value() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::string_view name = take_token();
    Datum value;
    value.kind = DatumKind::Double;
    value.span = span(begin, at_);
    if (name == "Inf") {
      value.real = std::numeric_limits<double>::infinity();
    } else if (name == "-Inf") {
      value.real = -std::numeric_limits<double>::infinity();
    } else if (name == "NaN") {
      value.real = std::numeric_limits<double>::quiet_NaN();
    } else {
      sink_.error(Code::S007, value.span, "after ## comes Inf, -Inf or NaN");
    }
    deliver(std::move(value));
  }

  // #:ns{:a 1} is {:ns/a 1}
  void read_namespaced_map() {
    const std::size_t begin = at_;
    at_ += 2;
    const bool automatic = peek() == ':';
    if (automatic) ++at_;
    std::string ns(take_token());
    if (ns.empty() && automatic) ns = "user";
    skip_blanks();
    if (ns.empty() || peek() != '{') {
      sink_.error(Code::S007, span(begin, at_), "#: is followed by a namespace and a map");
      return;
    }
    const std::size_t length = at_ + 1 - begin;
    at_ = begin;
    open(Open::Map, length);
    if (!frames_.empty()) frames_.back().map_ns = std::move(ns);
  }

  // #t #f, or a tag that we do not know: then the tag is skipped and its form read.
  void read_tag() {
    const std::size_t begin = at_++;
    const std::string_view tag = take_token();
    if (tag == "t" || tag == "true" || tag == "f" || tag == "false") {
      deliver(make_bool(tag[0] == 't', span(begin, at_)));
      return;
    }
    if (notation_ == Notation::ForeignData && !tag.empty()) return;
    // Other Clojures' tags may stand in branches that are not for us.
    for (const Frame& frame : frames_) {
      if (frame.open == Open::Conditional || frame.open == Open::SplicingConditional) return;
    }
    if (tag.empty()) {
      const std::size_t end = at_ < text_.size() ? at_ + decode_utf8(text_, at_).length : at_;
      sink_.error(Code::S007, span(begin, end), "'#' is followed by nothing the reader knows");
      // A bracket or quote stays for the next step, so that its partner finds it.
      if (end > at_ && !is_terminator(static_cast<unsigned char>(text_[at_]))) at_ = end;
      return;
    }
    sink_.error(Code::S007, span(begin, at_), fmt::format("the reader tag #{} is not known", tag));
  }

  // The characters up to the next white space or terminator; may be empty.
  std::string_view take_token() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const DecodedChar c = decode_utf8(text_, at_);
      if (is_white_space(c.code_point) || is_terminator(c.code_point)) break;
      if (!c.valid || is_control(c.code_point)) {
        sink_.error(
            Code::S010, span(at_, at_ + c.length),
            c.valid ? "a control character stands in a name" : "the text is not valid UTF-8",
            c.valid ? "" : "save the file as UTF-8");
        if (sink_.list().size() >= kMaxErrors) break;
      }
      at_ += c.length;
    }
    return text_.substr(begin, at_ - begin);
  }

  void read_token() {
    const std::size_t begin = at_;
    const std::size_t errors = sink_.list().size();
    const std::string_view token = take_token();
    Datum datum = make_nil(span(begin, at_));
    if (sink_.list().size() == errors && !token.empty() &&
        !parse_token(token, datum.span, datum, sink_)) {
      datum = make_nil(span(begin, at_));
    }
    deliver(std::move(datum));
  }

  void read_string(std::size_t quote) {
    const std::size_t begin = at_;
    const bool regex = quote != begin;
    StringLiteral literal =
        regex ? read_regex_literal(text_, quote) : read_string_literal(text_, quote, file_, sink_);
    if (!literal.closed) {
      incomplete_ = sink_.list().empty();
      std::size_t line_end = std::min(text_.find('\n', begin), text_.size());
      sink_.error(
          Code::S003, span(begin, line_end),
          regex ? "a regular expression has no closing quote" : "a string has no closing quote");
      stopped_ = true;
      return;
    }
    at_ = literal.end;
    if (regex && find_invalid_utf8(literal.value) != std::string_view::npos) {
      sink_.error(Code::S010, span(begin, at_), "the text is not valid UTF-8");
    }
    Datum string = make_string(std::move(literal.value), span(quote, at_));
    if (!regex) return deliver(std::move(string));
    if (depth_ + 1 > kMaxNesting) return too_deep(span(begin, at_));
    std::vector<Datum> items;
    items.push_back(make_symbol("re-pattern", span(begin, at_)));
    items.push_back(std::move(string));
    deliver(make_list(std::move(items), span(begin, at_)));
  }

  void read_char(std::size_t backslash) {
    const std::size_t begin = at_;
    const CharLiteral literal = read_char_literal(text_, backslash, file_, sink_);
    at_ = literal.end;
    Datum datum;
    datum.kind = DatumKind::Char;
    datum.integer = literal.code_point;
    datum.span = span(begin, at_);
    deliver(std::move(datum));
  }

  // #(...) stands for two collections, everything else for at most one.
  static int weight(Open open) { return open == Open::FnLiteral ? 2 : 1; }

  void too_deep(Span place) {
    sink_.error(Code::S011, place,
                fmt::format("brackets are nested more than {} deep", kMaxNesting));
    stopped_ = true;
  }

  void open(Open kind, std::size_t length) {
    const Span mark = span(at_, at_ + length);
    if (depth_ + weight(kind) > kMaxNesting) return too_deep(mark);
    if (frames_.empty()) {
      suspect_.reset();
    } else if (!suspect_ && starts_definition()) {
      suspect_ =
          Suspect{at_, sink_.list().size(), {frames_.back().open, frames_.back().span, {}, {}}};
    }
    if (kind == Open::FnLiteral) {
      for (const Frame& frame : frames_) {
        if (frame.open != Open::FnLiteral) continue;
        sink_
            .error(Code::S012, mark, "#(...) stands inside another #(...)",
                   "write the inner or the outer one as (fn [x] ...)")
            .notes.push_back({frame.span, "the outer one starts here"});
        break;
      }
    }
    depth_ += weight(kind);
    frames_.push_back({kind, mark, {}, {}});
    at_ += length;
  }

  // (def..., (ns or [assume in column 1
  bool starts_definition() const {
    if (at_ == 0 || text_[at_ - 1] != '\n') return false;
    const std::string_view after = text_.substr(at_ + 1, 7);
    if (text_[at_] == '(') return after.substr(0, 3) == "def" || after.substr(0, 3) == "ns ";
    return text_[at_] == '[' && after == "assume ";
  }

  Frame pop() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    depth_ -= weight(frame.open);
    return frame;
  }

  // Marks that still wait for a form when a bracket closes or the text ends.
  void drop_waiting_marks() {
    while (!frames_.empty() && !is_bracket(frames_.back().open)) {
      const Frame frame = pop();
      const std::string_view mark = sources_.text(frame.span);
      sink_.error(Code::S009, frame.span,
                  frame.items.empty() ? fmt::format("{} is followed by no form", mark)
                                      : "metadata is followed by no form");
    }
  }

  void check_inside_syntax_quote(Span mark) {
    for (const Frame& frame : frames_)
      if (frame.open == Open::SyntaxQuote) return;
    if (notation_ == Notation::ForeignData) return;
    sink_.error(Code::S012, mark, "~ stands outside a syntax quote",
                "it belongs inside `(...), as macros write it");
  }

  void close(char closer) {
    const Span mark = span(at_, at_ + 1);
    drop_waiting_marks();
    ++at_;
    if (frames_.empty()) {
      sink_.error(Code::S002, mark, fmt::format("'{}' closes nothing", closer),
                  "remove it, or look for the opening bracket that is missing before it");
      return;
    }
    if (closer_of(frames_.back().open) != closer) {
      const Frame& inner = frames_.back();
      sink_
          .error(Code::S002, mark,
                 fmt::format("expected '{}' but found '{}'", closer_of(inner.open), closer))
          .notes.push_back(
              {inner.span, fmt::format("'{}' is opened here", sources_.text(inner.span))});
      // If an outer bracket is meant, those inside it end here too; if none is, the innermost is.
      bool outer = false;
      for (const Frame& frame : frames_) {
        outer = outer || (is_bracket(frame.open) && closer_of(frame.open) == closer);
      }
      while (outer && closer_of(frames_.back().open) != closer) {
        complete(mark.begin);
        drop_waiting_marks();
      }
    }
    complete(mark.end);
  }

  // The innermost bracket ends at `end`: make its datum and hand it on.
  void complete(std::size_t end) {
    Frame frame = pop();
    const Span whole = span(frame.span.begin, end);
    switch (frame.open) {
      case Open::List:
        return deliver(make_list(std::move(frame.items), whole));
      case Open::Vector:
        return deliver(make_vector(std::move(frame.items), whole));
      case Open::Map:
        return complete_map(std::move(frame), whole);
      case Open::Set: {
        if (sound()) report_duplicates(frame.items, 1, "set", sink_);
        Datum set = make_vector(std::move(frame.items), whole);
        set.kind = DatumKind::Set;
        return deliver(std::move(set));
      }
      case Open::FnLiteral: {
        Datum body = make_list(std::move(frame.items), span(frame.span.begin + 1, end));
        return deliver(expand_fn_literal(std::move(body), whole, sink_));
      }
      default:
        return complete_conditional(std::move(frame), whole);
    }
  }

  void complete_map(Frame frame, Span whole) {
    if (frame.items.size() % 2 != 0) {
      const Datum& last = frame.items.back();
      sink_
          .error(Code::S008, whole,
                 "a map literal holds an odd number of forms, so a key has no value")
          .notes.push_back({last.span, "this is the last form"});
      frame.items.push_back(make_nil(last.span));
    }
    if (!frame.map_ns.empty()) {
      for (std::size_t i = 0; i < frame.items.size(); i += 2) qualify(frame.items[i], frame.map_ns);
    }
    if (sound()) report_duplicates(frame.items, 2, "map", sink_);
    Datum map = make_vector(std::move(frame.items), whole);
    map.kind = DatumKind::Map;
    deliver(std::move(map));
  }

  static void qualify(Datum& key, const std::string& ns) {
    if (key.kind != DatumKind::Keyword && key.kind != DatumKind::Symbol) return;
    if (key.name->ns.empty()) {
      key.name = intern(ns, key.name->base);
    } else if (key.name->ns == "_") {
      key.name = intern(key.name->base);
    }
  }

  // The first branch whose feature is :clj or :default; none gives nothing.
  void complete_conditional(Frame frame, Span whole) {
    if (frame.items.size() % 2 != 0) {
      sink_.error(Code::S012, whole, "a reader conditional needs pairs of a feature and a form");
    }
    for (std::size_t i = 0; i + 1 < frame.items.size(); i += 2) {
      const Datum& feature = frame.items[i];
      if (feature.kind != DatumKind::Keyword) {
        sink_.error(Code::S012, feature.span, "a feature of a reader conditional is a keyword");
        continue;
      }
      if (feature.name->full != "clj" && feature.name->full != "default") continue;
      Datum& chosen = frame.items[i + 1];
      if (frame.open == Open::Conditional) return deliver(std::move(chosen));
      if (chosen.kind != DatumKind::List && chosen.kind != DatumKind::Vector) {
        sink_.error(Code::S012, chosen.span, "#?@ needs a list or vector to splice");
        return;
      }
      if (frames_.empty()) {
        sink_.error(Code::S012, whole, "#?@ stands outside a collection");
        return;
      }
      for (Datum& item : chosen.items) deliver(std::move(item));
      return;
    }
  }

  // A finished datum goes to the mark or bracket that waits for it; marks finish in turn.
  void deliver(Datum datum) {
    take(cost_of(datum));
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (is_bracket(top.open)) {
        top.items.push_back(std::move(datum));
        return;
      }
      if (top.open == Open::Meta && top.items.empty()) {
        top.items.push_back(std::move(datum));
        return;
      }
      Frame mark = pop();
      const Span whole = join(mark.span, datum.span);
      switch (mark.open) {
        case Open::Discard:
          return;
        case Open::Quote:
          datum = marked("quote", std::move(datum), mark.span, whole);
          break;
        case Open::Deref:
          datum = marked("deref", std::move(datum), mark.span, whole);
          break;
        case Open::Unquote:
          check_inside_syntax_quote(mark.span);
          datum = marked("unquote", std::move(datum), mark.span, whole);
          break;
        case Open::UnquoteSplicing:
          check_inside_syntax_quote(mark.span);
          datum = marked("unquote-splicing", std::move(datum), mark.span, whole);
          break;
        case Open::VarQuote:
          datum = marked("var", std::move(datum), mark.span, whole);
          break;
        case Open::SyntaxQuote: {
          int quotes = 1;
          for (const Frame& frame : frames_) quotes += frame.open == Open::SyntaxQuote;
          if (quotes > kMaxSyntaxQuotes) {
            sink_.error(
                Code::S011, mark.span,
                fmt::format("syntax quotes are nested more than {} deep", kMaxSyntaxQuotes));
            stopped_ = true;
            return;
          }
          const std::size_t errors = sink_.list().size();
          // (seq (concat (list (quote a)) ...)): at most four data for each, two of them names.
          take(4 * whole_cost_of(datum));
          datum = expand_syntax_quote(datum, whole, sink_);
          if (sink_.list().size() == errors && depth_ + nesting_of(datum) > kMaxNesting) {
            return too_deep(whole);
          }
          break;
        }
        default:
          add_meta(datum, std::move(mark.items[0]));
          break;
      }
    }
    if (sound()) forms_.push_back(std::move(datum));
  }

  static Datum marked(const char* function, Datum datum, Span mark, Span whole) {
    std::vector<Datum> items;
    items.push_back(make_symbol(function, mark));
    items.push_back(std::move(datum));
    return make_list(std::move(items), whole);
  }

  // ^:k is ^{:k true}, ^Type is ^{:tag Type}; the outer mark wins over the inner one.
  void add_meta(Datum& datum, Datum meta) {
    Datum map = make_vector({}, meta.span);
    map.kind = DatumKind::Map;
    if (meta.kind == DatumKind::Map) {
      map = std::move(meta);
    } else if (meta.kind == DatumKind::Keyword) {
      const Span place = meta.span;
      map.items.push_back(std::move(meta));
      map.items.push_back(make_bool(true, place));
    } else if (meta.kind == DatumKind::Symbol || meta.kind == DatumKind::String) {
      map.items.push_back(make_keyword("tag", meta.span));
      map.items.push_back(std::move(meta));
    } else {
      sink_.error(Code::S006, meta.span, "metadata is a map, keyword, symbol or string");
      return;
    }
    if (datum.meta) {
      const std::size_t given = map.items.size();
      for (std::size_t i = 0; i + 1 < datum.meta->items.size(); i += 2) {
        bool there = false;
        for (std::size_t j = 0; j < given; j += 2) {
          there = there || same_data(map.items[j], datum.meta->items[i]);
        }
        if (there) continue;
        map.items.push_back(datum.meta->items[i]);
        map.items.push_back(datum.meta->items[i + 1]);
      }
    }
    datum.meta = std::make_shared<Datum>(std::move(map));
  }

  void take(std::size_t bytes) {
    if (budget_) budget_->take(bytes);
  }

  bool sound() const { return sink_.list().size() == errors_before_form_; }

  // Returns true when reading can continue from an earlier place.
  bool at_end() {
    if (frames_.empty()) return false;
    incomplete_ = sink_.list().empty();
    std::size_t first_bracket = 0;
    while (first_bracket < frames_.size() && !is_bracket(frames_[first_bracket].open))
      ++first_bracket;
    if (first_bracket == frames_.size()) {
      drop_waiting_marks();
      return false;
    }
    const bool again = restart_ && suspect_.has_value();
    if (again) forget_errors_after(suspect_->errors);
    while (!is_bracket(frames_.back().open)) pop();
    const Frame& inner = again ? suspect_->innermost : frames_.back();
    const std::string closer(1, is_bracket(inner.open) ? closer_of(inner.open) : ')');
    Diagnostic& error = sink_.error(Code::S001, inner.span,
                                    fmt::format("'{}' is never closed", sources_.text(inner.span)));
    if (again) {
      const Position next = sources_.position(file_, static_cast<std::uint32_t>(suspect_->at));
      error.hint = fmt::format("a definition starts in line {}: is '{}' missing before it?",
                               next.line, closer);
    } else if (first_bracket + 1 < frames_.size() && frames_[first_bracket].span != inner.span) {
      error.notes.push_back(
          {frames_[first_bracket].span,
           fmt::format("'{}' is open too, from here", sources_.text(frames_[first_bracket].span))});
    }
    frames_.clear();
    depth_ = 0;
    if (!again) return false;
    at_ = suspect_->at;
    suspect_.reset();
    return true;
  }

  void forget_errors_after(std::size_t count) {
    DiagnosticSink kept;
    for (std::size_t i = 0; i < count; ++i) kept.add(sink_.list()[i]);
    sink_ = std::move(kept);
  }

  const SourceMap& sources_;
  std::string_view text_;
  std::uint32_t file_;
  Budget* budget_;
  Notation notation_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  int depth_ = 0;
  std::vector<Datum> forms_;
  DiagnosticSink sink_;
  std::size_t errors_before_form_ = 0;
  std::optional<Suspect> suspect_;
  bool stopped_ = false;
  bool incomplete_ = false;
  bool restart_ = true;
};

}  // namespace

std::vector<Datum> read_all(const SourceMap& sources, std::uint32_t file, DiagnosticSink& sink,
                            Budget* budget, Notation notation) {
  Reader reader(sources, file, budget, notation);
  reader.read();
  for (const Diagnostic& diagnostic : reader.sink().list()) sink.add(diagnostic);
  return std::move(reader.forms());
}

bool is_complete(std::string_view text) {
  SourceMap sources;
  Reader reader(sources, sources.add("", std::string(text)), nullptr);
  reader.take_first_end();
  reader.read();
  return !reader.incomplete();
}

}  // namespace chancel
