// SPDX-License-Identifier: Apache-2.0
// Functions on regular expressions, and the string functions that take a string or a pattern:
// split, replace.
#include <fmt/format.h>

#include "base/text.hpp"
#include "library/arguments.hpp"
#include "library/regex_program.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The pattern argument: a pattern, or a string that spells one.
std::shared_ptr<const Regex> read_pattern(NativeContext& cx, const char* function, const Value* a,
                                          int index) {
  if (is_pattern(a[index])) return compiled(a[index]);
  if (a[index].is(Tag::String)) {
    const Value pattern = make_pattern(cx, string_view_of(a[index]));
    return cx.ok() ? compiled(pattern) : nullptr;
  }
  cx.wrong_type(function, index, "a regular expression", a[index]);
  return nullptr;
}
Value group_value(NativeContext& cx, std::string_view text, const Regex::Match& m, std::size_t g) {
  if (m.starts[g] == kNone || m.ends[g] == kNone) return Value::nil();
  return make_string(*cx.arena, text.substr(m.starts[g], m.ends[g] - m.starts[g]));
}
// The match as programs see it: a string, or a vector of the match and its groups.
Value match_value(NativeContext& cx, std::string_view text, const Regex::Match& m) {
  if (m.starts.size() == 1) return group_value(cx, text, m, 0);
  std::vector<Value> groups;
  for (std::size_t g = 0; g < m.starts.size(); ++g) groups.push_back(group_value(cx, text, m, g));
  return vector_of(cx, groups);
}
// Where the search continues after a match: at its end, or one character further when it was empty.
std::size_t behind(std::string_view text, const Regex::Match& m) {
  if (m.ends[0] > m.starts[0]) return m.ends[0];
  std::size_t at = m.ends[0];
  if (at >= text.size()) return text.size() + 1;
  next_character(text, at);
  return at;
}

Value re_pattern(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_pattern(a[0])) return a[0];
  std::string_view s;
  return read_string(cx, "re-pattern", a, 0, &s) ? make_pattern(cx, s) : Value::nil();
}
Value re_quote(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "re-quote", a, 0, &s)) return Value::nil();
  std::string quoted;
  for (char c : s) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != kNone) quoted += '\\';
    quoted += c;
  }
  return make_string(*cx.arena, quoted);
}
Value find_once(NativeContext& cx, const char* function, bool whole, const Value* a) {
  std::string_view text;
  const auto regex = read_pattern(cx, function, a, 0);
  if (!regex || !read_string(cx, function, a, 1, &text)) return Value::nil();
  Regex::Match m;
  return regex->search(cx, text, 0, whole, &m) ? match_value(cx, text, m) : Value::nil();
}
Value re_find(NativeContext& cx, const Value* a, std::uint32_t) {
  return find_once(cx, "re-find", false, a);
}
Value re_matches(NativeContext& cx, const Value* a, std::uint32_t) {
  return find_once(cx, "re-matches", true, a);
}
Value re_seq(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view text;
  const auto regex = read_pattern(cx, "re-seq", a, 0);
  if (!regex || !read_string(cx, "re-seq", a, 1, &text)) return Value::nil();
  std::vector<Value> matches;
  Regex::Match m;
  for (std::size_t from = 0; from <= text.size() && regex->search(cx, text, from, false, &m);
       from = behind(text, m)) {
    push_within_limits(cx, matches, match_value(cx, text, m));
  }
  return matches.empty() ? Value::nil() : list_of(cx, matches);
}

// As Java's split: empty parts at the end are dropped unless a limit is given; no empty part before
// an empty match at 0.
Value split(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string_view text;
  std::int64_t limit = 0;
  if (!read_string(cx, "split", a, 0, &text)) return Value::nil();
  const auto regex = read_pattern(cx, "split", a, 1);
  if (!regex || (n == 3 && !read_integer(cx, "split", a, 2, &limit))) return Value::nil();
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  Regex::Match m;
  for (std::size_t from = 0; from <= text.size() && regex->search(cx, text, from, false, &m);
       from = behind(text, m)) {
    if (limit > 0 && static_cast<std::int64_t>(parts.size()) == limit - 1) break;
    if (m.ends[0] == 0) continue;
    if (m.starts[0] == m.ends[0] && m.starts[0] == text.size()) break;
    push_within_limits(cx, parts, text.substr(start, m.starts[0] - start));
    start = m.ends[0];
  }
  parts.push_back(text.substr(start));
  if (limit == 0) {
    while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    if (parts.size() == 1 && parts[0].empty() && !text.empty()) parts.clear();
  }
  std::vector<Value> values;
  for (std::string_view p : parts) values.push_back(make_string(*cx.arena, p));
  return vector_of(cx, values);
}

// $1 and \x in the replacement of a pattern.
bool expand(NativeContext& cx, std::string_view with, std::string_view text, const Regex::Match& m,
            std::string* out) {
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (with[i] == '\\' && i + 1 < with.size()) {
      append_text(cx, with.substr(++i, 1), out);
    } else if (with[i] == '$') {
      std::size_t g = 0;
      std::size_t k = i + 1;
      for (; k < with.size() && with[k] >= '0' && with[k] <= '9' &&
             (k == i + 1 || g * 10 < m.starts.size());
           ++k) {
        g = g * 10 + static_cast<std::size_t>(with[k] - '0');
      }
      if (k == i + 1 || g >= m.starts.size()) {
        cx.fail(Code::R009,
                fmt::format(
                    "replace: the replacement \"{}\" names a group that the pattern does not have",
                    with),
                2);
        return false;
      }
      if (m.starts[g] != kNone)
        append_text(cx, text.substr(m.starts[g], m.ends[g] - m.starts[g]), out);
      i = k - 1;
    } else {
      append_text(cx, with.substr(i, 1), out);
    }
  }
  return true;
}
Value replace(NativeContext& cx, const char* function, bool all, const Value* a) {
  std::string_view text;
  if (!read_string(cx, function, a, 0, &text)) return Value::nil();
  std::string out;
  std::size_t done = 0;
  if (is_pattern(a[1])) {
    if (!a[2].is(Tag::String)) return cx.wrong_type(function, 2, "a string", a[2]);
    const auto regex = compiled(a[1]);
    Regex::Match m;
    for (std::size_t from = 0; from <= text.size() && regex->search(cx, text, from, false, &m);
         from = behind(text, m)) {
      append_text(cx, text.substr(done, m.starts[0] - done), &out);
      if (!expand(cx, string_view_of(a[2]), text, m, &out)) return Value::nil();
      done = m.ends[0];
      if (!all) break;
    }
  } else {
    std::string parts[2];
    for (int i = 0; i < 2; ++i) {
      const Value& v = a[i + 1];
      if (v.is(Tag::Char)) {
        append_utf8(parts[i], static_cast<std::uint32_t>(v.i));
      } else if (v.is(Tag::String)) {
        parts[i] = string_view_of(v);
      } else {
        return cx.wrong_type(function, i + 1, "a string, a character or a pattern", v);
      }
    }
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t at = text.find(parts[0], from);
      if (at == kNone) break;
      append_text(cx, text.substr(done, at - done), &out);
      append_text(cx, parts[1], &out);
      done = at + parts[0].size();
      from = parts[0].empty() ? done + 1 : done;
      if (!all) break;
    }
  }
  append_text(cx, text.substr(std::min(done, text.size())), &out);
  return make_string(*cx.arena, out);
}
Value replace_all(NativeContext& cx, const Value* a, std::uint32_t) {
  return replace(cx, "clojure.string/replace", true, a);
}
Value replace_first(NativeContext& cx, const Value* a, std::uint32_t) {
  return replace(cx, "replace-first", false, a);
}

constexpr const char* kSplitDoc =
    "The parts of the string between the matches of the pattern, as a vector.";
constexpr const char* kFirstDoc = "The string with the first match replaced.";
constexpr NativeDef kRegexNatives[] = {
    {"re-pattern", 1, 1, re_pattern, kPure, "[s]",
     "The regular expression that the string spells."},
    {"re-quote", 1, 1, re_quote, kPure, "[s]",
     "A string that spells a pattern which matches just s."},
    {"re-find", 2, 2, re_find, kPure, "[pattern s]",
     "The first match: a string, or a vector with its groups; or nil."},
    {"re-matches", 2, 2, re_matches, kPure, "[pattern s]",
     "The match when the pattern takes the whole string, or nil."},
    {"re-seq", 2, 2, re_seq, kPure, "[pattern s]", "All matches one after the other, or nil."},
    {"split", 2, 3, split, kPure, "[s pattern] [s pattern limit]", kSplitDoc},
    {"clojure.string/split", 2, 3, split, kPure, "[s pattern] [s pattern limit]", kSplitDoc},
    {"clojure.string/replace", 3, 3, replace_all, kPure, "[s match replacement]",
     "The string with all matches of a string, character or pattern replaced; $1 stands for a "
     "group of a pattern."},
    {"replace-first", 3, 3, replace_first, kPure, "[s match replacement]", kFirstDoc},
    {"clojure.string/replace-first", 3, 3, replace_first, kPure, "[s match replacement]",
     kFirstDoc},
};

}  // namespace

std::span<const NativeDef> regex_natives() { return kRegexNatives; }

}  // namespace chancel
