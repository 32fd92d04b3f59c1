// SPDX-License-Identifier: Apache-2.0
// Patterns in Java's syntax to the steps that regex_program.hpp runs.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "library/regex_program.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMaxSteps = 100000;  // bounds {1000}{1000}
constexpr int kMaxDepth = 200;             // of groups inside groups
constexpr std::uint32_t kLastCharacter = 0x10ffff;
}  // namespace

// Recursive descent over alternatives, sequences, repetitions and atoms; emits steps directly.
// Repetitions copy the steps of their atom, so the program of a{2,4} is aa(a(a)?)?.
class RegexParser {
 public:
  RegexParser(std::string_view pattern, Regex* out, std::string* error)
      : text_(pattern), out_(out), error_(error) {}

  bool run() {
    out_->groups_ = 1;
    emit(Regex::Op::Save, 0);
    if (!alternatives(0)) return false;
    if (at_ < text_.size()) return fail("a ) without its (");
    emit(Regex::Op::Save, 1);
    emit(Regex::Op::Accept);
    return true;
  }

 private:
  using Op = Regex::Op;
  bool fail(std::string_view why) {
    if (error_->empty()) *error_ = fmt::format("{} at character {}", why, at_ + 1);
    return false;
  }
  bool more() const { return at_ < text_.size(); }
  char peek() const { return text_[at_]; }
  std::uint32_t take() { return next_character(text_, at_); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(out_->steps_.size()); }
  void emit(Op op, std::uint32_t a = 0, std::uint32_t b = 0) { out_->steps_.push_back({op, a, b}); }

  // Puts a step at `at`, before an alternative that ends here; the targets inside the alternative
  // are corrected.
  void insert(std::uint32_t at, Regex::Step step) {
    for (std::size_t i = at; i < out_->steps_.size(); ++i) {
      Regex::Step& s = out_->steps_[i];
      if (s.op == Op::Split || s.op == Op::Jump) {
        if (s.a >= at) ++s.a;
        if (s.op == Op::Split && s.b >= at) ++s.b;
      }
    }
    out_->steps_.insert(out_->steps_.begin() + at, step);
  }

  bool alternatives(int depth) {
    if (depth > kMaxDepth) return fail("groups nested too deeply");
    std::uint32_t start = size();
    if (!sequence(depth)) return false;
    std::vector<std::uint32_t> ends;
    while (more() && peek() == '|') {
      ++at_;
      insert(start, {Op::Split, start + 1, size() + 2});
      ends.push_back(size());
      emit(Op::Jump);
      start = size();
      if (!sequence(depth)) return false;
    }
    for (std::uint32_t e : ends) out_->steps_[e].a = size();
    return true;
  }
  bool sequence(int depth) {
    while (more() && peek() != '|' && peek() != ')') {
      const std::uint32_t start = size();
      if (!atom(depth) || !repetition(start)) return false;
    }
    return true;
  }
  bool repetition(std::uint32_t start) {
    while (more()) {
      std::int64_t low = 0;
      std::int64_t high = -1;
      const char c = peek();
      if (c == '*') {
        ++at_;
      } else if (c == '+') {
        low = 1;
        ++at_;
      } else if (c == '?') {
        high = 1;
        ++at_;
      } else if (c == '{') {
        ++at_;
        if (!bounds(&low, &high)) return false;
      } else {
        return true;
      }
      bool lazy = false;
      if (more() && peek() == '?') {
        lazy = true;
        ++at_;
      } else if (more() && peek() == '+') {
        return fail("possessive quantifiers are not supported");
      }
      if (!repeat(start, low, high, lazy)) return false;
    }
    return true;
  }
  bool number(std::int64_t* out) {
    const std::size_t from = at_;
    *out = 0;
    while (more() && peek() >= '0' && peek() <= '9' && *out < 100000)
      *out = *out * 10 + (text_[at_++] - '0');
    return at_ > from;
  }
  bool bounds(std::int64_t* low, std::int64_t* high) {
    if (!number(low)) return fail("expected a number after {");
    *high = *low;
    if (more() && peek() == ',') {
      ++at_;
      if (!number(high)) *high = -1;
    }
    if (!more() || peek() != '}') return fail("a { without its }");
    ++at_;
    if (*high >= 0 && *high < *low) return fail("the bounds of {} are in the wrong order");
    return true;
  }
  // Appends a copy of `body`, whose targets counted from `origin`, here.
  void copy(const std::vector<Regex::Step>& body, std::uint32_t origin) {
    const std::uint32_t shift = size() - origin;
    for (Regex::Step s : body) {
      if (s.op == Op::Split || s.op == Op::Jump) {
        s.a += shift;
        if (s.op == Op::Split) s.b += shift;
      }
      out_->steps_.push_back(s);
    }
  }
  void split_here(bool lazy, std::vector<std::uint32_t>* exits) {
    exits->push_back(size());
    emit(Op::Split, size() + 1, lazy ? 1 : 0);  // exit target is patched; b marks lazy until then
  }
  bool repeat(std::uint32_t start, std::int64_t low, std::int64_t high, bool lazy) {
    const std::vector<Regex::Step> body(out_->steps_.begin() + start, out_->steps_.end());
    const std::int64_t copies = std::max<std::int64_t>(low, high < 0 ? low + 1 : high);
    if (static_cast<std::size_t>(copies) * (body.size() + 2) + size() > kMaxSteps)
      return fail("the repetition is too large");
    out_->steps_.resize(start);
    for (std::int64_t i = 0; i < low; ++i) copy(body, start);
    std::vector<std::uint32_t> exits;
    if (high < 0) {
      const std::uint32_t again = size();
      split_here(lazy, &exits);
      copy(body, start);
      emit(Op::Jump, again);
    } else {
      for (std::int64_t i = low; i < high; ++i) {
        split_here(lazy, &exits);
        copy(body, start);
      }
    }
    for (std::uint32_t e : exits) {
      Regex::Step& s = out_->steps_[e];
      const bool exit_first = s.b == 1;
      s.b = size();
      if (exit_first) std::swap(s.a, s.b);
    }
    return true;
  }

  bool atom(int depth) {
    const char c = peek();
    switch (c) {
      case '(':
        return group(depth);
      case '[': {
        ++at_;
        Regex::CharClass set;
        if (!bracket(&set, 0)) return false;
        add_class(std::move(set));
        return true;
      }
      case '.':
        return one(Op::Any);
      case '^':
        return one(Op::LineStart);
      case '$':
        return one(Op::LineEnd);
      case '\\':
        return escape();
      case '*':
      case '+':
      case '?':
        return fail("nothing to repeat");
      default:
        emit(Op::Char, take());
        return true;
    }
  }
  bool group(int depth) {
    ++at_;
    bool captures = true;
    if (more() && peek() == '?') {
      ++at_;
      if (more() && peek() == ':') {
        captures = false;
        ++at_;
      } else if (more() && peek() == '<' && at_ + 1 < text_.size() && text_[at_ + 1] != '=' &&
                 text_[at_ + 1] != '!') {
        while (more() && peek() != '>') ++at_;
        if (!more()) return fail("a group name without its >");
        ++at_;
      } else {
        return flags();
      }
    }
    const auto index = static_cast<std::uint32_t>(out_->groups_);
    if (captures) {
      ++out_->groups_;
      emit(Op::Save, 2 * index);
    }
    if (!alternatives(depth + 1)) return false;
    if (!more() || peek() != ')') return fail("a ( without its )");
    ++at_;
    if (captures) emit(Op::Save, 2 * index + 1);
    return true;
  }
  bool flags() {
    while (more() && peek() != ')') {
      switch (peek()) {
        case 'i':
          out_->ignore_case_ = true;
          break;
        case 'm':
          out_->multiline_ = true;
          break;
        case 's':
          out_->dot_all_ = true;
          break;
        case 'u':
          break;
        default:
          return fail("look-around and this kind of group are not supported");
      }
      ++at_;
    }
    if (!more()) return fail("a ( without its )");
    ++at_;
    return true;
  }

  void add_class(Regex::CharClass set) {
    emit(Op::Class, static_cast<std::uint32_t>(out_->classes_.size()));
    out_->classes_.push_back(std::move(set));
  }
  // \d \w \s and their opposites, as ranges.
  static bool named_class(char c, Regex::CharClass* set) {
    switch (c) {
      case 'd':
      case 'D':
        set->ranges = {{'0', '9'}};
        break;
      case 'w':
      case 'W':
        set->ranges = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
        break;
      case 's':
      case 'S':
        set->ranges = {{9, 13}, {' ', ' '}};
        break;
      default:
        return false;
    }
    set->negated = c < 'a';
    return true;
  }
  static void add_ranges(const Regex::CharClass& from, Regex::CharClass* to) {
    if (!from.negated) {
      to->ranges.insert(to->ranges.end(), from.ranges.begin(), from.ranges.end());
      return;
    }
    auto sorted = from.ranges;
    std::sort(sorted.begin(), sorted.end());
    std::uint32_t next = 0;
    for (const auto& [low, high] : sorted) {
      if (low > next) to->ranges.push_back({next, low - 1});
      next = std::max(next, high + 1);
    }
    if (next <= kLastCharacter) to->ranges.push_back({next, kLastCharacter});
  }
  bool escaped_character(std::uint32_t* out) {
    const std::uint32_t c = take();
    switch (c) {
      case 't':
        *out = '\t';
        return true;
      case 'n':
        *out = '\n';
        return true;
      case 'r':
        *out = '\r';
        return true;
      case 'f':
        *out = '\f';
        return true;
      case 'a':
        *out = 7;
        return true;
      case 'e':
        *out = 27;
        return true;
      case '0':
        *out = 0;
        return true;
      case 'x':
        return hex(2, out);
      case 'u':
        return hex(4, out);
      default:
        if ((c >= '1' && c <= '9') || c == 'k') return fail("back-references are not supported");
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
          return fail("an escape that is not known");
        *out = c;
        return true;
    }
  }
  bool hex(int digits, std::uint32_t* out) {
    *out = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      if (!more() || !std::isxdigit(static_cast<unsigned char>(peek())))
        return fail("expected a hexadecimal digit");
      const char c = peek();
      *out = *out * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return true;
  }
  // The character at hand is this instruction.
  bool one(Op op) {
    ++at_;
    emit(op);
    return true;
  }
  bool escape() {
    ++at_;
    if (!more()) return fail("nothing after \\");
    Regex::CharClass set;
    switch (peek()) {
      case 'b':
        return one(Op::WordEdge);
      case 'B':
        return one(Op::NoWordEdge);
      case 'A':
        return one(Op::TextStart);
      case 'z':
      case 'Z':
        return one(Op::TextEnd);
      case 'Q': {
        const std::size_t end = text_.find("\\E", at_);
        const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
        for (++at_; at_ < stop;) emit(Op::Char, take());
        if (end != std::string_view::npos) at_ = end + 2;
        return true;
      }
      default:
        break;
    }
    if (named_class(peek(), &set)) {
      ++at_;
      add_class(std::move(set));
      return true;
    }
    std::uint32_t c = 0;
    if (!escaped_character(&c)) return false;
    emit(Op::Char, c);
    return true;
  }
  // After the [; the character classes of Java without && .
  bool bracket(Regex::CharClass* set, int depth) {
    if (depth > kMaxDepth) return fail("classes nested too deeply");
    if (more() && peek() == '^') {
      set->negated = true;
      ++at_;
    }
    bool is_first = true;
    while (true) {
      if (!more()) return fail("a [ without its ]");
      if (peek() == ']' && !is_first) {
        ++at_;
        return true;
      }
      is_first = false;
      if (peek() == '[') {
        ++at_;
        Regex::CharClass inner;
        if (!bracket(&inner, depth + 1)) return false;
        add_ranges(inner, set);
        continue;
      }
      if (text_.substr(at_, 2) == "&&") return fail("intersections of classes are not supported");
      std::uint32_t low = 0;
      if (peek() == '\\') {
        ++at_;
        if (!more()) return fail("nothing after \\");
        Regex::CharClass inner;
        if (named_class(peek(), &inner)) {
          ++at_;
          add_ranges(inner, set);
          continue;
        }
        if (!escaped_character(&low)) return false;
      } else {
        low = take();
      }
      std::uint32_t high = low;
      if (at_ + 1 < text_.size() && peek() == '-' && text_[at_ + 1] != ']') {
        ++at_;
        if (peek() == '\\') {
          ++at_;
          if (!more() || !escaped_character(&high)) return fail("a range without its end");
        } else {
          high = take();
        }
        if (high < low) return fail("a range in the wrong order");
      }
      set->ranges.push_back({low, high});
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Regex* out_;
  std::string* error_;
};

std::shared_ptr<const Regex> Regex::compile(std::string_view pattern, std::string* error) {
  auto regex = std::make_shared<Regex>();
  error->clear();
  if (!RegexParser(pattern, regex.get(), error).run()) return nullptr;
  return regex;
}

}  // namespace chancel
