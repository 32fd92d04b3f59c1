// SPDX-License-Identifier: Apache-2.0
// (format "..." args): Java's Formatter. Numbers are rounded half up from their shortest decimal
// digits, as Java does, and not from their binary value as C does, so that "%.1f" of 0.25 is 0.3.
// %d refuses doubles, also those without a fraction.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "library/arguments.hpp"
#include "library/decimal.hpp"
#include "library/registry.hpp"
#include "value/big_integer.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

struct Directive {
  bool left = false;
  bool zero = false;
  bool plus = false;
  bool space = false;
  bool group = false;
  bool paren = false;
  bool alternate = false;
  int width = -1;
  int precision = -1;
  int argument = 0;       // %2$s; 0 = the next one
  bool previous = false;  // %<s
  char conversion = 0;
};

bool read_digits(std::string_view f, std::size_t* i, int* out) {
  const std::size_t from = *i;
  int n = 0;
  while (*i < f.size() && f[*i] >= '0' && f[*i] <= '9' && n < 100000)
    n = n * 10 + (f[(*i)++] - '0');
  *out = n;
  return *i > from;
}

// After the %; false when it is cut off.
bool read_directive(std::string_view f, std::size_t* i, Directive* d) {
  std::size_t k = *i;
  int index = 0;
  if (read_digits(f, &k, &index) && k < f.size() && f[k] == '$') {
    d->argument = index;
    *i = k + 1;
  } else if (*i < f.size() && f[*i] == '<') {
    d->previous = true;
    ++*i;
  }
  for (; *i < f.size(); ++*i) {
    switch (f[*i]) {
      case '-':
        d->left = true;
        continue;
      case '0':
        d->zero = true;
        continue;
      case '+':
        d->plus = true;
        continue;
      case ' ':
        d->space = true;
        continue;
      case ',':
        d->group = true;
        continue;
      case '(':
        d->paren = true;
        continue;
      case '#':
        d->alternate = true;
        continue;
      default:
        break;
    }
    break;
  }
  int n = 0;
  if (read_digits(f, i, &n)) d->width = n;
  if (*i < f.size() && f[*i] == '.') {
    ++*i;
    if (!read_digits(f, i, &n)) return false;
    d->precision = n;
  }
  if (*i >= f.size()) return false;
  d->conversion = f[(*i)++];
  return true;
}

std::string padded(const Directive& d, std::string text) {
  const auto missing = static_cast<std::int64_t>(d.width) - character_count(text);
  if (missing <= 0) return text;
  const std::string fill(static_cast<std::size_t>(missing), ' ');
  return d.left ? text + fill : fill + text;
}

// Sign, grouping and zeros for the digits of a number (its absolute value).
std::string number_text(const Directive& d, bool negative, std::string digits, bool finite) {
  if (d.group && finite) {
    const std::size_t point = std::min(digits.find_first_not_of("0123456789"), digits.size());
    for (std::size_t at = point; at > 3; at -= 3) digits.insert(at - 3, ",");
  }
  std::string before = negative ? (d.paren ? "(" : "-") : d.plus ? "+" : d.space ? " " : "";
  const std::string behind = negative && d.paren ? ")" : "";
  if (d.zero && finite) {
    const auto length = static_cast<std::int64_t>(before.size() + digits.size() + behind.size());
    if (length < d.width) digits.insert(0, static_cast<std::size_t>(d.width - length), '0');
  }
  return padded(d, before + digits + behind);
}

Value bad_argument(NativeContext& cx, const Directive& d, const char* wanted, const Value& got,
                   int index, const char* hint = "") {
  return cx.fail(Code::R009,
                 fmt::format("format: %{} needs {}, got {}", d.conversion, wanted, describe(got)),
                 index, hint);
}

bool append_integer(NativeContext& cx, const Directive& d, const Value& v, int index,
                    std::string* out) {
  if (v.is_nil()) {
    *out += padded(d, "null");
    return true;
  }
  if (v.is(Tag::BigInt)) {
    const int base = d.conversion == 'd' ? 10 : d.conversion == 'o' ? 8 : 16;
    std::string digits = integer_text(&cx, v, base);
    const bool negative = digits.starts_with('-');
    if (negative) digits.erase(0, 1);
    if (d.alternate && base != 10) digits.insert(0, base == 8 ? "0" : "0x");
    if (d.conversion == 'X')
      std::transform(digits.begin(), digits.end(), digits.begin(),
                     [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    *out += number_text(d, negative, std::move(digits), true);
    return true;
  }
  if (!v.is(Tag::Int)) {
    bad_argument(cx, d, "an integer", v, index, "use %.0f, or (long x)");
    return false;
  }
  auto bits = static_cast<std::uint64_t>(v.i);
  // Digests are written byte by byte with %02x, and Java's bytes have eight bits.
  if (d.zero && d.width == 2 && d.conversion != 'd' && v.i < 0 && v.i >= -128) bits &= 0xff;
  if (d.conversion == 'd') {
    *out += number_text(d, v.i < 0, std::to_string(v.i < 0 ? 0 - bits : bits), true);
    return true;
  }
  const char* prefix = !d.alternate ? "" : d.conversion == 'o' ? "0" : "0x";
  std::string digits = d.conversion == 'o'   ? fmt::format("{}{:o}", prefix, bits)
                       : d.conversion == 'x' ? fmt::format("{}{:x}", prefix, bits)
                                             : fmt::format("{}{:X}", prefix, bits);
  *out += number_text(d, false, std::move(digits), true);
  return true;
}

bool append_real(NativeContext& cx, const Directive& d, const Value& v, int index,
                 std::string* out) {
  if (v.is_nil()) {
    *out += padded(d, "null");
    return true;
  }
  if (!v.is_number()) {
    bad_argument(cx, d, "a number", v, index);
    return false;
  }
  const double x = to_double(v);
  if (!std::isfinite(x)) {
    *out += number_text(d, x < 0, std::isnan(x) ? "NaN" : "Infinity", false);
    return true;
  }
  const int precision = d.precision < 0 ? 6 : d.precision;
  const double magnitude = std::fabs(x);
  std::string digits = d.conversion == 'f' ? decimal_fixed(magnitude, precision)
                       : d.conversion == 'g' || d.conversion == 'G'
                           ? decimal_general(magnitude, precision)
                           : decimal_scientific(magnitude, precision);
  if (d.conversion == 'E' || d.conversion == 'G')
    std::replace(digits.begin(), digits.end(), 'e', 'E');
  *out += number_text(d, std::signbit(x), std::move(digits), true);
  return true;
}

bool append_string(NativeContext& cx, const Directive& d, const Value& v, std::string* out) {
  std::string text;
  if (d.conversion == 'b' || d.conversion == 'B') {
    text = v.truthy() ? "true" : "false";
  } else if (v.is_nil()) {
    text = "null";
  } else if (v.is(Tag::String)) {
    text = string_view_of(v);
  } else if (v.is(Tag::Char)) {
    append_utf8(text, static_cast<std::uint32_t>(v.i));
  } else if (v.is(Tag::BigInt)) {
    text = integer_text(&cx, v);
  } else if (v.is(Tag::Double) && !std::isfinite(v.d)) {
    text = std::isnan(v.d) ? "NaN" : v.d > 0 ? "Infinity" : "-Infinity";
  } else {
    text = print(cx, v, true);
    if (!cx.ok()) return false;
  }
  if (d.precision >= 0)
    text = text.substr(0, std::min(byte_offset(text, d.precision), text.size()));
  if (d.conversion < 'a')
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  *out += padded(d, std::move(text));
  return true;
}

bool append_character(NativeContext& cx, const Directive& d, const Value& v, int index,
                      std::string* out) {
  if (!v.is(Tag::Char) && !v.is(Tag::Int)) {
    bad_argument(cx, d, "a character", v, index);
    return false;
  }
  std::string text;
  append_utf8(text, static_cast<std::uint32_t>(v.i));
  *out += padded(d, std::move(text));
  return true;
}

bool format_text(NativeContext& cx, const Value* a, std::uint32_t n, std::string* out) {
  std::string_view f;
  if (!read_string(cx, "format", a, 0, &f)) return false;
  int next = 1;
  int last = 0;
  for (std::size_t i = 0; i < f.size();) {
    if (f[i] != '%') {
      *out += f[i++];
      continue;
    }
    const std::size_t start = i++;
    Directive d;
    if (!read_directive(f, &i, &d)) {
      cx.fail(Code::R009,
              fmt::format("format: \"{}\" is not a complete directive", f.substr(start)), 0);
      return false;
    }
    if (d.width > 10000 || d.precision > 10000) {
      cx.fail(Code::R009,
              fmt::format("format: the width in \"{}\" is too large", f.substr(start, i - start)),
              0);
      return false;
    }
    if (d.conversion == 'n' || d.conversion == '%') {
      *out += d.conversion == 'n' ? "\n" : padded(d, "%");
      continue;
    }
    const int index = d.previous ? last : d.argument > 0 ? d.argument : next++;
    if (index < 1 || index >= static_cast<int>(n)) {
      cx.fail(Code::R009,
              fmt::format("format: there is no argument for \"{}\"", f.substr(start, i - start)),
              0);
      return false;
    }
    last = index;
    const Value& v = a[index];
    bool done = false;
    switch (d.conversion) {
      case 'd':
      case 'x':
      case 'X':
      case 'o':
        done = append_integer(cx, d, v, index, out);
        break;
      case 'f':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
        done = append_real(cx, d, v, index, out);
        break;
      case 's':
      case 'S':
      case 'b':
      case 'B':
        done = append_string(cx, d, v, out);
        break;
      case 'c':
        done = append_character(cx, d, v, index, out);
        break;
      case 'h': {
        Value whole = v;
        if (!ensure_realised(cx, whole)) return false;
        *out += padded(d, fmt::format("{:x}", hash(whole)));
        done = true;
        break;
      }
      default:
        cx.fail(Code::R009, fmt::format("format: %{} is not a conversion", d.conversion), 0,
                "the conversions are %d %s %f %e %g %x %o %c %b %n %%");
    }
    if (!done) return false;
  }
  return true;
}

Value format_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string text;
  return format_text(cx, a, n, &text) ? make_string(*cx.arena, text) : Value::nil();
}

constexpr NativeDef kFormatNatives[] = {
    {"format", 1, -1, format_native, kPure, "[format & args]",
     "The text of the arguments, laid out as Java's format directives say."},
};

}  // namespace

std::span<const NativeDef> format_natives() { return kFormatNatives; }

}  // namespace chancel
