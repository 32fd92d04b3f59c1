// SPDX-License-Identifier: Apache-2.0
// The shapes are tried in the order of Clojure's reader: integer, double, ratio. Doubles are
// converted by std::from_chars, which rounds correctly and knows no locale.
#include "reader/number.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "reader/characters.hpp"

namespace chancel {
namespace {

enum class Outcome { NotThis, Done, TooLarge };

// All of `digits` as a number in the given base. A sign in front has been taken off.
Outcome parse_digits(std::string_view digits, int base, bool negative, std::int64_t& out) {
  if (digits.empty()) return Outcome::NotThis;
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t limit = negative ? kMax + 1 : kMax;
  std::uint64_t value = 0;
  bool overflow = false;
  for (char c : digits) {
    const int digit = digit_value(static_cast<unsigned char>(c));
    if (digit >= base) return Outcome::NotThis;
    const auto d = static_cast<std::uint64_t>(digit);
    overflow = overflow || value > (limit - d) / static_cast<std::uint64_t>(base);
    if (!overflow) value = value * static_cast<std::uint64_t>(base) + d;
  }
  if (overflow) return Outcome::TooLarge;
  out = static_cast<std::int64_t>(negative ? 0 - value : value);
  return Outcome::Done;
}

Outcome parse_integer(std::string_view body, bool negative, std::int64_t& out) {
  if (!body.empty() && body.back() == 'N') body.remove_suffix(1);
  if (body.size() > 1 && body[0] == '0') {
    if (body[1] == 'x' || body[1] == 'X') return parse_digits(body.substr(2), 16, negative, out);
    return parse_digits(body.substr(1), 8, negative, out);
  }
  const std::size_t r = body.find_first_of("rR");
  if (r == 1 || r == 2) {
    std::int64_t base = 0;
    if (parse_digits(body.substr(0, r), 10, false, base) != Outcome::Done) return Outcome::NotThis;
    if (base < 2 || base > 36) return Outcome::NotThis;
    return parse_digits(body.substr(r + 1), static_cast<int>(base), negative, out);
  }
  return parse_digits(body, 10, negative, out);
}

// digits [. digits] [e [sign] digits] with at least one digit before the exponent
bool is_decimal(std::string_view body) {
  std::size_t i = 0;
  std::size_t digits = 0;
  while (i < body.size() && is_digit(static_cast<unsigned char>(body[i]))) ++i, ++digits;
  if (i < body.size() && body[i] == '.') {
    ++i;
    while (i < body.size() && is_digit(static_cast<unsigned char>(body[i]))) ++i, ++digits;
  }
  if (digits == 0) return false;
  if (i < body.size() && (body[i] == 'e' || body[i] == 'E')) {
    ++i;
    if (i < body.size() && (body[i] == '+' || body[i] == '-')) ++i;
    const std::size_t exponent = i;
    while (i < body.size() && is_digit(static_cast<unsigned char>(body[i]))) ++i;
    if (i == exponent) return false;
  }
  return i == body.size();
}

Outcome parse_double(std::string_view body, bool negative, double& out) {
  // Without any of these it is an integer gone wrong, such as 08.
  if (body.find_first_of(".eEM") == std::string_view::npos) return Outcome::NotThis;
  if (body.back() == 'M') body.remove_suffix(1);
  if (!is_decimal(body)) return Outcome::NotThis;
  const auto result = std::from_chars(body.data(), body.data() + body.size(), out);
  if (result.ec == std::errc::result_out_of_range) {
    // Too large or too small: strtod tells which, and rounds the small ones to zero or a denormal.
    out = std::strtod(std::string(body).c_str(), nullptr);
    if (out > 1) return Outcome::TooLarge;
  }
  if (negative) out = -out;
  return Outcome::Done;
}

struct Ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

Outcome parse_ratio(std::string_view body, bool negative, Ratio& out) {
  const std::size_t slash = body.find('/');
  if (slash == std::string_view::npos) return Outcome::NotThis;
  const Outcome top = parse_digits(body.substr(0, slash), 10, negative, out.numerator);
  const Outcome bottom = parse_digits(body.substr(slash + 1), 10, false, out.denominator);
  if (top == Outcome::NotThis || bottom == Outcome::NotThis) return Outcome::NotThis;
  if (top == Outcome::TooLarge || bottom == Outcome::TooLarge) return Outcome::TooLarge;
  return Outcome::Done;
}

std::string quoted(std::string_view token) {
  constexpr std::size_t kShown = 40;
  if (token.size() <= kShown) return std::string(token);
  return std::string(token.substr(0, kShown)) + "...";
}

}  // namespace

bool looks_like_number(std::string_view token) {
  std::size_t i = 0;
  if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
  if (i < token.size() && token[i] == '.') ++i;
  return i < token.size() && is_digit(static_cast<unsigned char>(token[i]));
}

bool parse_number(std::string_view token, Span span, Datum& out, DiagnosticSink& sink) {
  const bool negative = token[0] == '-';
  const std::string_view body = token[0] == '-' || token[0] == '+' ? token.substr(1) : token;
  out = Datum{};
  out.span = span;
  switch (parse_integer(body, negative, out.integer)) {
    case Outcome::Done:
      out.kind = DatumKind::Int;
      return true;
    case Outcome::TooLarge:
      sink.error(Code::S005, span, "the integer " + quoted(token) + " does not fit into 64 bits",
                 "write it with a decimal point or an exponent to get a double");
      return false;
    case Outcome::NotThis:
      break;
  }
  switch (parse_double(body, negative, out.real)) {
    case Outcome::Done:
      out.kind = DatumKind::Double;
      return true;
    case Outcome::TooLarge:
      sink.error(Code::S005, span, "the number " + quoted(token) + " is too large for a double",
                 "write ##Inf if infinity is meant");
      return false;
    case Outcome::NotThis:
      break;
  }
  Ratio ratio;
  switch (parse_ratio(body, negative, ratio)) {
    case Outcome::Done: {
      if (ratio.denominator == 0) {
        sink.error(Code::S005, span, "the ratio " + quoted(token) + " divides by zero");
        return false;
      }
      // The smallest integer has no positive twin, so its gcd is taken on unsigned magnitudes.
      const std::uint64_t magnitude = ratio.numerator < 0
                                          ? 0 - static_cast<std::uint64_t>(ratio.numerator)
                                          : static_cast<std::uint64_t>(ratio.numerator);
      const auto divisor = static_cast<std::int64_t>(
          std::gcd(magnitude, static_cast<std::uint64_t>(ratio.denominator)));
      out.integer = ratio.numerator / divisor;
      out.denominator = ratio.denominator / divisor;
      out.kind = out.denominator == 1 ? DatumKind::Int : DatumKind::Ratio;
      return true;
    }
    case Outcome::TooLarge:
      sink.error(Code::S005, span, "the ratio " + quoted(token) + " does not fit into 64 bits");
      return false;
    case Outcome::NotThis:
      break;
  }
  sink.error(Code::S005, span, quoted(token) + " is not a number",
             "a name may not start with a digit");
  return false;
}

}  // namespace chancel
