// SPDX-License-Identifier: Apache-2.0
// Strings: clojure.string and the string functions of the core. Letters change case in ASCII and
// Latin-1, Greek and Cyrillic ranges only; everything else stays as it is.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text.hpp"
#include "library/arguments.hpp"
#include "library/regex_program.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

Value text_value(NativeContext& cx, std::string_view text) { return make_string(*cx.arena, text); }

// What (str x) adds for one value. False when a lazy part has to be realised first.
bool append_value(NativeContext& cx, const Value& v, std::string* out) {
  if (v.is_nil()) return true;
  if (v.is(Tag::String)) {
    append_text(cx, string_view_of(v), out);
  } else if (is_pattern(v)) {
    append_text(cx, pattern_text(v), out);
  } else {
    const std::string text = to_str(cx, v);
    if (!cx.ok()) return false;
    append_text(cx, text, out);
  }
  return true;
}
Value str_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!append_value(cx, a[i], &text)) return Value::nil();
  }
  return text_value(cx, text);
}
Value join(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string separator;
  std::vector<Value> items;
  if (n == 2 && !append_value(cx, a[0], &separator)) return Value::nil();
  if (!read_items(cx, "join", a, static_cast<int>(n) - 1, &items)) return Value::nil();
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) append_text(cx, separator, &text);
    if (!append_value(cx, items[i], &text)) return Value::nil();
  }
  return text_value(cx, text);
}

Value subs(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string_view s;
  std::int64_t start = 0;
  if (!read_string(cx, "subs", a, 0, &s) || !read_integer(cx, "subs", a, 1, &start))
    return Value::nil();
  const std::int64_t count = character_count(s);
  std::int64_t end = count;
  if (n == 3 && !read_integer(cx, "subs", a, 2, &end)) return Value::nil();
  if (end < 0 || end > count) {
    return cx.fail_as(
        "java.lang.StringIndexOutOfBoundsException", Code::R004,
        fmt::format("subs: end {} is out of range for a string of {} characters", end, count), 2);
  }
  if (start < 0 || start > end) {
    return cx.fail_as("java.lang.StringIndexOutOfBoundsException", Code::R004,
                      fmt::format("subs: start {} is out of range for an end of {}", start, end),
                      1);
  }
  const std::size_t from = byte_offset(s, start);
  return text_value(cx, s.substr(from, byte_offset(s, end) - from));
}

std::uint32_t upper(std::uint32_t c) {
  if ((c >= 'a' && c <= 'z') || (c >= 0xe0 && c <= 0xfe && c != 0xf7) ||
      (c >= 0x3b1 && c <= 0x3c9 && c != 0x3c2) || (c >= 0x430 && c <= 0x44f)) {
    return c - 32;
  }
  return c;
}
std::uint32_t lower(std::uint32_t c) {
  if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) ||
      (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f)) {
    return c + 32;
  }
  return c;
}
template <class F>
std::string each_character(NativeContext& cx, std::string_view s, F&& change) {
  cx.room_for(6 * s.size());  // a letter may become longer, and the text grows by doubling
  std::string out;
  std::size_t index = 0;
  for (std::size_t at = 0; at < s.size(); ++index)
    append_utf8(out, change(next_character(s, at), index));
  return out;
}
Value upper_case(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "upper-case", a, 0, &s)) return Value::nil();
  return text_value(cx,
                    each_character(cx, s, [](std::uint32_t c, std::size_t) { return upper(c); }));
}
Value lower_case(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "lower-case", a, 0, &s)) return Value::nil();
  return text_value(cx,
                    each_character(cx, s, [](std::uint32_t c, std::size_t) { return lower(c); }));
}
Value capitalize(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "capitalize", a, 0, &s)) return Value::nil();
  return text_value(cx, each_character(cx, s, [](std::uint32_t c, std::size_t i) {
                      return i == 0 ? upper(c) : lower(c);
                    }));
}
Value reverse_string(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "clojure.string/reverse", a, 0, &s)) return Value::nil();
  cx.room_for(16 * s.size());
  std::vector<std::uint32_t> characters;
  for (std::size_t at = 0; at < s.size();) characters.push_back(next_character(s, at));
  std::string out;
  for (std::size_t i = characters.size(); i-- > 0;) append_utf8(out, characters[i]);
  return text_value(cx, out);
}

std::string_view trim_left(std::string_view s) {
  std::size_t at = 0;
  while (at < s.size()) {
    std::size_t behind = at;
    if (!is_space(next_character(s, behind))) break;
    at = behind;
  }
  return s.substr(at);
}
std::string_view trim_right(std::string_view s) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < s.size();) {
    if (!is_space(next_character(s, at))) end = at;
  }
  return s.substr(0, end);
}
Value trim(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  return read_string(cx, "trim", a, 0, &s) ? text_value(cx, trim_right(trim_left(s)))
                                           : Value::nil();
}
Value triml(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  return read_string(cx, "triml", a, 0, &s) ? text_value(cx, trim_left(s)) : Value::nil();
}
Value trimr(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  return read_string(cx, "trimr", a, 0, &s) ? text_value(cx, trim_right(s)) : Value::nil();
}
Value trim_newline(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "trim-newline", a, 0, &s)) return Value::nil();
  while (!s.empty() && (s.back() == '\n' || s.back() == '\r')) s.remove_suffix(1);
  return text_value(cx, s);
}
Value is_blank(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is_nil()) return Value::boolean(true);
  std::string_view s;
  return read_string(cx, "blank?", a, 0, &s) ? Value::boolean(trim_left(s).empty()) : Value::nil();
}
bool read_two(NativeContext& cx, const char* function, const Value* a, std::string_view* s,
              std::string_view* part) {
  return read_string(cx, function, a, 0, s) && read_string(cx, function, a, 1, part);
}
Value starts_with(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::string_view part;
  return read_two(cx, "starts-with?", a, &s, &part) ? Value::boolean(s.starts_with(part))
                                                    : Value::nil();
}
Value ends_with(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::string_view part;
  return read_two(cx, "ends-with?", a, &s, &part) ? Value::boolean(s.ends_with(part))
                                                  : Value::nil();
}
Value includes(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::string_view part;
  if (!read_two(cx, "includes?", a, &s, &part)) return Value::nil();
  return Value::boolean(s.find(part) != std::string_view::npos);
}
// The searched text of index-of may be a string or a character.
bool read_needle(NativeContext& cx, const char* function, const Value* a, std::string* needle) {
  if (a[1].is(Tag::Char)) {
    append_utf8(*needle, static_cast<std::uint32_t>(a[1].i));
    return true;
  }
  std::string_view text;
  if (!read_string(cx, function, a, 1, &text)) return false;
  *needle = text;
  return true;
}
Value index_of(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string_view s;
  std::string needle;
  std::int64_t from = 0;
  if (!read_string(cx, "index-of", a, 0, &s) || !read_needle(cx, "index-of", a, &needle))
    return Value::nil();
  if (n == 3 && !read_integer(cx, "index-of", a, 2, &from)) return Value::nil();
  const std::size_t start = byte_offset(s, std::max<std::int64_t>(from, 0));
  if (start == std::string_view::npos) return Value::nil();
  const std::size_t at = s.find(needle, start);
  return at == std::string_view::npos ? Value::nil()
                                      : Value::integer(character_count(s.substr(0, at)));
}
Value last_index_of(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::string needle;
  if (!read_string(cx, "last-index-of", a, 0, &s) || !read_needle(cx, "last-index-of", a, &needle))
    return Value::nil();
  const std::size_t at = s.rfind(needle);
  return at == std::string_view::npos ? Value::nil()
                                      : Value::integer(character_count(s.substr(0, at)));
}

Value split_lines(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "split-lines", a, 0, &s)) return Value::nil();
  std::vector<Value> lines;
  std::size_t full = 0;  // lines up to the last one that is not empty
  while (true) {
    const std::size_t at = s.find('\n');
    std::string_view line = s.substr(0, at);
    if (at != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    push_within_limits(cx, lines, text_value(cx, line));
    if (!line.empty()) full = lines.size();
    if (at == std::string_view::npos) break;
    s.remove_prefix(at + 1);
  }
  lines.resize(full);
  return vector_of(cx, lines);
}
Value repeat_string(NativeContext& cx, const Value* a, std::uint32_t) {
  std::int64_t n = 0;
  std::string_view s;
  if (!read_size(cx, "%repeat-string", a, 0, &n) || !read_string(cx, "%repeat-string", a, 1, &s))
    return Value::nil();
  std::string text;
  for (std::int64_t i = 0; i < n && !s.empty(); ++i) append_text(cx, s, &text);
  return text_value(cx, text);
}

bool parse_whole_number(std::string_view s, std::int64_t* out) {
  if (s.starts_with('+')) s.remove_prefix(1);
  if (s.empty()) return false;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *out);
  return error == std::errc() && end == s.data() + s.size();
}
bool parse_real_number(std::string_view s, double* out) {
  s = trim_right(trim_left(s));
  if (s.ends_with('f') || s.ends_with('d') || s.ends_with('F') || s.ends_with('D'))
    s.remove_suffix(1);
  bool negative = false;
  if (s.starts_with('+') || s.starts_with('-')) {
    negative = s[0] == '-';
    s.remove_prefix(1);
  }
  if (s == "Infinity") {
    *out = HUGE_VAL;
  } else if (s == "NaN") {
    *out = std::strtod("nan", nullptr);
  } else {
    if (s.empty() || !((s[0] >= '0' && s[0] <= '9') || s[0] == '.')) return false;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), *out);
    if (end != s.data() + s.size()) return false;
    // Too large or too small for a double: infinity or zero, as Java reads them.
    if (error == std::errc::result_out_of_range)
      *out = std::strtod(std::string(s).c_str(), nullptr);
    else if (error != std::errc())
      return false;
  }
  if (negative) *out = -*out;
  return true;
}
Value parse_long(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::int64_t i = 0;
  if (!read_string(cx, "parse-long", a, 0, &s)) return Value::nil();
  return parse_whole_number(s, &i) ? Value::integer(i) : Value::nil();
}
Value parse_double(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  double d = 0;
  if (!read_string(cx, "parse-double", a, 0, &s)) return Value::nil();
  return parse_real_number(s, &d) ? Value::real(d) : Value::nil();
}
Value parse_boolean(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  if (!read_string(cx, "parse-boolean", a, 0, &s)) return Value::nil();
  return s == "true" ? Value::boolean(true) : s == "false" ? Value::boolean(false) : Value::nil();
}
// Java's parsers fail where Clojure's give nil.
Value parse_int_strictly(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string_view s;
  std::int64_t i = 0;
  if (!read_string(cx, "parseLong", a, 0, &s)) return Value::nil();
  if (parse_whole_number(s, &i)) return Value::integer(i);
  return cx.fail_as("java.lang.NumberFormatException", Code::R009,
                    fmt::format("parseLong: {} is not an integer", show(a[0])), 0);
}
Value parse_double_strictly(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is_number()) return Value::real(to_double(a[0]));
  std::string_view s;
  double d = 0;
  if (!read_string(cx, "parseDouble", a, 0, &s)) return Value::nil();
  if (parse_real_number(s, &d)) return Value::real(d);
  return cx.fail_as("java.lang.NumberFormatException", Code::R009,
                    fmt::format("parseDouble: {} is not a number", show(a[0])), 0);
}

constexpr const char* kUpperDoc = "The string in upper case.";
constexpr const char* kLowerDoc = "The string in lower case.";
constexpr const char* kJoinDoc =
    "The texts of the elements, one after the other, with the separator between them.";
constexpr const char* kTrimDoc = "The string without white space at both ends.";
constexpr const char* kIncludesDoc = "True when the string has the part somewhere.";
constexpr const char* kStartsDoc = "True when the string starts with the part.";
constexpr const char* kEndsDoc = "True when the string ends with the part.";
constexpr const char* kIndexDoc = "The index of the first place where the part is found, or nil.";
constexpr const char* kLinesDoc = "The lines of the string as a vector.";
constexpr const char* kCapitalizeDoc =
    "The string with its first letter in upper case and the others in lower case.";
constexpr const char* kBlankDoc = "True when the string is nil, empty or only white space.";

constexpr NativeDef kStringsNatives[] = {
    {"str", 0, -1, str_native, kPure, "[& xs]",
     "The texts of the values, one after the other; nil has none."},
    {"subs", 2, 3, subs, kPure, "[s start] [s start end]",
     "The part of a string from start up to but excluding end."},
    {"join", 1, 2, join, kPure, "[coll] [separator coll]", kJoinDoc},
    {"clojure.string/join", 1, 2, join, kPure, "[coll] [separator coll]", kJoinDoc},
    {"upper-case", 1, 1, upper_case, kPure, "[s]", kUpperDoc},
    {"clojure.string/upper-case", 1, 1, upper_case, kPure, "[s]", kUpperDoc},
    {"lower-case", 1, 1, lower_case, kPure, "[s]", kLowerDoc},
    {"clojure.string/lower-case", 1, 1, lower_case, kPure, "[s]", kLowerDoc},
    {"capitalize", 1, 1, capitalize, kPure, "[s]", kCapitalizeDoc},
    {"clojure.string/capitalize", 1, 1, capitalize, kPure, "[s]", kCapitalizeDoc},
    {"clojure.string/reverse", 1, 1, reverse_string, kPure, "[s]",
     "The characters in the opposite order."},
    {"trim", 1, 1, trim, kPure, "[s]", kTrimDoc},
    {"clojure.string/trim", 1, 1, trim, kPure, "[s]", kTrimDoc},
    {"triml", 1, 1, triml, kPure, "[s]", "The string without white space at its start."},
    {"clojure.string/triml", 1, 1, triml, kPure, "[s]",
     "The string without white space at its start."},
    {"trimr", 1, 1, trimr, kPure, "[s]", "The string without white space at its end."},
    {"clojure.string/trimr", 1, 1, trimr, kPure, "[s]",
     "The string without white space at its end."},
    {"trim-newline", 1, 1, trim_newline, kPure, "[s]", "The string without line ends at its end."},
    {"clojure.string/trim-newline", 1, 1, trim_newline, kPure, "[s]",
     "The string without line ends at its end."},
    {"blank?", 1, 1, is_blank, kPure, "[s]", kBlankDoc},
    {"clojure.string/blank?", 1, 1, is_blank, kPure, "[s]", kBlankDoc},
    {"starts-with?", 2, 2, starts_with, kPure, "[s part]", kStartsDoc},
    {"clojure.string/starts-with?", 2, 2, starts_with, kPure, "[s part]", kStartsDoc},
    {"ends-with?", 2, 2, ends_with, kPure, "[s part]", kEndsDoc},
    {"clojure.string/ends-with?", 2, 2, ends_with, kPure, "[s part]", kEndsDoc},
    {"includes?", 2, 2, includes, kPure, "[s part]", kIncludesDoc},
    {"clojure.string/includes?", 2, 2, includes, kPure, "[s part]", kIncludesDoc},
    {"index-of", 2, 3, index_of, kPure, "[s part] [s part from]", kIndexDoc},
    {"clojure.string/index-of", 2, 3, index_of, kPure, "[s part] [s part from]", kIndexDoc},
    {"last-index-of", 2, 2, last_index_of, kPure, "[s part]",
     "The index of the last place where the part is found, or nil."},
    {"clojure.string/last-index-of", 2, 2, last_index_of, kPure, "[s part]",
     "The index of the last place where the part is found, or nil."},
    {"split-lines", 1, 1, split_lines, kPure, "[s]", kLinesDoc},
    {"clojure.string/split-lines", 1, 1, split_lines, kPure, "[s]", kLinesDoc},
    {"%repeat-string", 2, 2, repeat_string, kPure, "[n s]", "The string n times."},
    {"parse-long", 1, 1, parse_long, kPure, "[s]", "The integer that the string spells, or nil."},
    {"parse-double", 1, 1, parse_double, kPure, "[s]",
     "The number that the string spells as a double, or nil."},
    {"parse-boolean", 1, 1, parse_boolean, kPure, "[s]",
     "true or false when the string is one of them, or nil."},
    {"Integer/parseInt", 1, 1, parse_int_strictly, kPure, "[s]",
     "The integer that the string spells."},
    {"Long/parseLong", 1, 1, parse_int_strictly, kPure, "[s]",
     "The integer that the string spells."},
    {"Double/parseDouble", 1, 1, parse_double_strictly, kPure, "[s]",
     "The number that the string spells as a double."},
    {"Float/parseFloat", 1, 1, parse_double_strictly, kPure, "[s]",
     "The number that the string spells as a double."},
    {"Double/valueOf", 1, 1, parse_double_strictly, kPure, "[s]",
     "The number that the string spells as a double."},
    {"Integer/valueOf", 1, 1, parse_int_strictly, kPure, "[s]",
     "The integer that the string spells."},
};

}  // namespace

std::span<const NativeDef> string_natives() { return kStringsNatives; }

}  // namespace chancel
