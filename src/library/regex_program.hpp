// SPDX-License-Identifier: Apache-2.0
// Regular expressions in Java's syntax, matched by simulating all ways at once (Pike's machine):
// time is linear in the text times the pattern and no input can overflow the stack, which
// std::regex cannot promise. The price: no back-references, no look-around, no possessive
// quantifiers; they are refused with a message.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

class Regex {
 public:
  // Null when the pattern is malformed; `error` says why.
  static std::shared_ptr<const Regex> compile(std::string_view pattern, std::string* error);

  // Byte offsets of the groups; group 0 is the whole match. npos when a group took no part.
  struct Match {
    std::vector<std::size_t> starts;
    std::vector<std::size_t> ends;
  };
  // The leftmost match that starts at `from` or later; `whole`: it must take the whole text.
  bool search(NativeContext& cx, std::string_view text, std::size_t from, bool whole,
              Match* match) const;

 private:
  friend class RegexParser;
  enum class Op : std::uint8_t {
    Char,
    Any,
    Class,
    Split,
    Jump,
    Save,
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    WordEdge,
    NoWordEdge,
    Accept
  };
  struct Step {
    Op op;
    std::uint32_t a = 0;  // character, class index, first target, save slot
    std::uint32_t b = 0;  // second target of Split (tried later)
  };
  struct CharClass {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    bool negated = false;
    bool has(std::uint32_t c) const;
  };
  bool matches_character(const Step& step, std::uint32_t c) const;
  bool holds_at(const Step& step, std::string_view text, std::size_t at) const;

  std::vector<Step> steps_;
  std::vector<CharClass> classes_;
  std::size_t groups_ = 0;
  bool ignore_case_ = false;
  bool multiline_ = false;
  bool dot_all_ = false;
};

// Patterns as values of programs: what #"..." and re-pattern give.
bool is_pattern(const Value& v);
std::string_view pattern_text(const Value& pattern);
Value make_pattern(NativeContext& cx, std::string_view text);  // fails when it is malformed
// The compiled pattern (kept per thread).
std::shared_ptr<const Regex> compiled(const Value& pattern);

}  // namespace chancel
