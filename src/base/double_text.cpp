// SPDX-License-Identifier: Apache-2.0
// The digits come from std::to_chars (shortest form); only the placing of point and exponent is
// ours.
#include "base/double_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace chancel {

std::string java_double_text(double value) {
  if (std::isnan(value)) return "##NaN";
  if (std::isinf(value)) return value > 0 ? "##Inf" : "##-Inf";
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific)
          .ptr;
  const std::string shortest(buffer, end);  // d.ddde[+-]dd or de[+-]dd
  const std::size_t e = shortest.find('e');
  std::string digits = shortest.substr(0, 1);
  if (e > 2) digits += shortest.substr(2, e - 2);
  const int exponent = std::atoi(shortest.c_str() + e + 1);
  std::string out = std::signbit(value) ? "-" : "";
  if (value == 0) return out + "0.0";
  if (exponent >= -3 && exponent < 7) {  // Java's range of plain decimals: 1e-3 <= |x| < 1e7
    if (exponent < 0)
      return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) digits.append(whole - digits.size() + 1, '0');
    return out + digits.substr(0, whole) + "." + digits.substr(whole);
  }
  out += digits.substr(0, 1) + "." + (digits.size() > 1 ? digits.substr(1) : "0");
  return out + "E" + std::to_string(exponent);
}

}  // namespace chancel
