// SPDX-License-Identifier: Apache-2.0
#include "library/decimal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace chancel {
namespace {

// 0.d1d2d3... times ten to the exponent; digits without trailing zeros, "0" for zero.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest(double x) {
  if (x == 0) return {"0", 1};
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
  Decimal d;
  const char* p = text;
  for (; p < end && *p != 'e'; ++p) {
    if (*p != '.') d.digits += *p;
  }
  d.exponent = std::atoi(std::string(p + 1, static_cast<const char*>(end)).c_str()) + 1;
  while (d.digits.size() > 1 && d.digits.back() == '0') d.digits.pop_back();
  return d;
}

// Keeps `count` digits, half up; count may be 0 or negative (then the value is 0, or 1 unit when it
// rounds up).
void round_to(Decimal* d, int count) {
  if (count >= static_cast<int>(d->digits.size())) return;
  if (count < 0) {
    *d = {"0", 1};
    return;
  }
  const bool up = d->digits[static_cast<std::size_t>(count)] >= '5';
  d->digits.resize(static_cast<std::size_t>(count));
  if (up) {
    int i = count - 1;
    while (i >= 0 && d->digits[static_cast<std::size_t>(i)] == '9')
      d->digits[static_cast<std::size_t>(i--)] = '0';
    if (i >= 0) {
      ++d->digits[static_cast<std::size_t>(i)];
    } else {
      d->digits.insert(0, "1");
      ++d->exponent;
    }
  } else if (count == 0) {
    *d = {"0", 1};
  }
}

bool is_zero(const Decimal& d) { return d.digits.find_first_not_of('0') == std::string::npos; }

// The digits with `precision` places after the point; they have been rounded before.
std::string place(const Decimal& d, int precision) {
  const auto digit = [&](int position) {  // position 1 is the first digit of `digits`
    return position >= 1 && position <= static_cast<int>(d.digits.size())
               ? d.digits[static_cast<std::size_t>(position - 1)]
               : '0';
  };
  std::string text;
  for (int i = 1; i <= d.exponent; ++i) text += digit(i);
  if (text.empty()) text = "0";
  if (precision > 0) text += '.';
  for (int i = 1; i <= precision; ++i) text += digit(d.exponent + i);
  return text;
}

}  // namespace

std::string decimal_fixed(double x, int precision) {
  Decimal d = shortest(x);
  if (!is_zero(d)) round_to(&d, d.exponent + precision);
  return place(d, precision);
}

std::string decimal_scientific(double x, int precision) {
  Decimal d = shortest(x);
  round_to(&d, precision + 1);
  const int exponent = is_zero(d) ? 0 : d.exponent - 1;
  d.exponent = 1;
  return fmt::format("{}e{}{:02}", place(d, precision), exponent < 0 ? '-' : '+',
                     std::abs(exponent));
}

std::string decimal_general(double x, int precision) {
  if (precision == 0) precision = 1;
  Decimal d = shortest(x);
  if (is_zero(d)) return place(d, precision - 1);
  round_to(&d, precision);
  // Fixed from 10^-4 up to but excluding 10^precision.
  if (d.exponent < -3 || d.exponent > precision) return decimal_scientific(x, precision - 1);
  return place(d, precision - d.exponent);
}

}  // namespace chancel
