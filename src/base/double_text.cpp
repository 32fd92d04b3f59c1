// SPDX-License-Identifier: Apache-2.0
// The digits come from std::to_chars (shortest form); only the placing of point and exponent is
// ours.
#include "base/double_text.hpp"

#include <charconv>
#include <cmath>

namespace chancel {

void append_java_double(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "##NaN";
    return;
  }
  if (std::isinf(value)) {
    out += value > 0 ? "##Inf" : "##-Inf";
    return;
  }
  if (std::signbit(value)) out += '-';
  if (value == 0) {
    out += "0.0";
    return;
  }
  char text[40];  // d.ddde[+-]dd or de[+-]dd
  const char* end =
      std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific).ptr;
  const char* e = end - 1;
  while (*e != 'e') --e;
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  const char* tail = e - text > 1 ? text + 2 : e;  // the digits behind the point
  const auto tail_size = static_cast<std::size_t>(e - tail);
  if (exponent >= 7 || exponent < -3) {  // Java's range of plain decimals: 1e-3 <= |x| < 1e7
    out += text[0];
    out += '.';
    if (tail_size > 0)
      out.append(tail, tail_size);
    else
      out += '0';
    out += 'E';
    char digits[8];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, exponent).ptr);
    return;
  }
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out += text[0];
    out.append(tail, tail_size);
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent);  // digits before the point, but the first
  out += text[0];
  if (tail_size <= whole) {
    out.append(tail, tail_size);
    out.append(whole - tail_size, '0');
    out += ".0";
  } else {
    out.append(tail, whole);
    out += '.';
    out.append(tail + whole, tail_size - whole);
  }
}

std::string java_double_text(double value) {
  std::string out;
  append_java_double(out, value);
  return out;
}

}  // namespace chancel
