// SPDX-License-Identifier: Apache-2.0
// The shapes are tried in the order of Clojure's reader: integer, double, ratio. Doubles are
// converted by std::from_chars, which rounds correctly and knows no locale.
#include "reader/number.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>

#include "reader/characters.hpp"

namespace chancel {
namespace {

using Integer = boost::multiprecision::cpp_int;

// Reading a literal takes time that grows with the square of its length.
constexpr std::size_t kMostDigits = 10000;

enum class Outcome { NotThis, Done, TooLarge };

// All of `digits` as a number in the given base. A sign in front has been taken off.
Outcome parse_digits(std::string_view digits, int base, bool negative, Integer& out) {
  if (digits.empty()) return Outcome::NotThis;
  for (const char c : digits)
    if (digit_value(static_cast<unsigned char>(c)) >= base) return Outcome::NotThis;
  if (digits.size() > kMostDigits) return Outcome::TooLarge;
  out = 0;
  std::uint64_t part = 0, scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    part = part * static_cast<std::uint64_t>(base) +
           static_cast<std::uint64_t>(digit_value(static_cast<unsigned char>(digits[i])));
    scale *= static_cast<std::uint64_t>(base);
    if (scale < (std::uint64_t{1} << 58) && i + 1 < digits.size()) continue;
    out = out * scale + part;
    part = 0;
    scale = 1;
  }
  if (negative) out = -out;
  return Outcome::Done;
}

bool fits_in_64_bits(const Integer& n) {
  return n >= std::numeric_limits<std::int64_t>::min() &&
         n <= std::numeric_limits<std::int64_t>::max();
}

// *big: the literal ends with N.
Outcome parse_integer(std::string_view body, bool negative, Integer& out, bool* big) {
  *big = !body.empty() && body.back() == 'N';
  if (*big) body.remove_suffix(1);
  if (body.size() > 1 && body[0] == '0') {
    if (body[1] == 'x' || body[1] == 'X') return parse_digits(body.substr(2), 16, negative, out);
    return parse_digits(body.substr(1), 8, negative, out);
  }
  const std::size_t r = body.find_first_of("rR");
  if (r == 1 || r == 2) {
    Integer base = 0;
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
  if (body.find_first_of(".eE") == std::string_view::npos) return Outcome::NotThis;
  if (!is_decimal(body)) return Outcome::NotThis;
  const auto result = std::from_chars(body.data(), body.data() + body.size(), out);
  if (result.ec == std::errc::result_out_of_range) {
    // Too large or too small: strtod distinguishes them, and rounds the small ones to zero or a
    // denormal.
    out = std::strtod(std::string(body).c_str(), nullptr);
    if (out > 1) return Outcome::TooLarge;
  }
  if (negative) out = -out;
  return Outcome::Done;
}

// 1.5M, 2M: Clojure's decimals of any length.
bool is_exact_decimal(std::string_view body) {
  return body.ends_with('M') && is_decimal(body.substr(0, body.size() - 1));
}

struct Ratio {
  Integer numerator = 0;
  Integer denominator = 1;
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

// An integer as Int or BigInt.
void put_integer(const Integer& n, bool big, Datum& out) {
  if (big || !fits_in_64_bits(n)) {
    out.kind = DatumKind::BigInt;
    out.text = n.str();
  } else {
    out.kind = DatumKind::Int;
    out.integer = static_cast<std::int64_t>(n);
  }
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
  // Most integers, without ado.
  const auto end = body.data() + body.size();
  if (!body.empty() && body.size() < 19 && (body[0] != '0' || body.size() == 1))
    if (const auto [stop, error] = std::from_chars(body.data(), end, out.integer);
        error == std::errc{} && stop == end && body[0] != '-') {
      if (negative) out.integer = -out.integer;
      out.kind = DatumKind::Int;
      return true;
    }
  const auto too_long = [&] {
    sink.error(
        Code::S005, span,
        "the number " + quoted(token) + " has more than " + std::to_string(kMostDigits) + " digits",
        "write it with a decimal point or an exponent to get a double");
    return false;
  };
  Integer integer;
  bool big = false;
  switch (parse_integer(body, negative, integer, &big)) {
    case Outcome::Done:
      put_integer(integer, big, out);
      return true;
    case Outcome::TooLarge:
      return too_long();
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
      const bool small = fits_in_64_bits(ratio.numerator) && fits_in_64_bits(ratio.denominator);
      const Integer divisor = gcd(ratio.numerator, ratio.denominator);
      ratio.numerator /= divisor;
      ratio.denominator /= divisor;
      if (ratio.denominator == 1) {
        put_integer(ratio.numerator, !small, out);
      } else if (fits_in_64_bits(ratio.numerator) && fits_in_64_bits(ratio.denominator)) {
        out.kind = DatumKind::Ratio;
        out.integer = static_cast<std::int64_t>(ratio.numerator);
        out.denominator = static_cast<std::int64_t>(ratio.denominator);
      } else {
        out.kind = DatumKind::Ratio;
        out.denominator = 0;
        out.text = ratio.numerator.str() + "/" + ratio.denominator.str();
      }
      return true;
    }
    case Outcome::TooLarge:
      return too_long();
    case Outcome::NotThis:
      break;
  }
  if (is_exact_decimal(body)) {
    sink.error(Code::S005, span, quoted(token) + ": there are no exact decimals (BigDecimal)",
               "leave the M out for a double, or write a ratio: 3/2 is exactly 1.5");
    return false;
  }
  sink.error(Code::S005, span, quoted(token) + " is not a number",
             "a name may not start with a digit");
  return false;
}

}  // namespace chancel
