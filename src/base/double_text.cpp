// SPDX-License-Identifier: Apache-2.0
// The digits come from {fmt} and std::to_chars (shortest form); only the placing of point and
// exponent is ours.
#include "base/double_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

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
  const double size = std::fabs(value);
  if (size >= 1e-3 && size < 1e7) {  // Java's range of plain decimals
    // This is where most numbers of most files pass.
    if (const auto whole = static_cast<std::uint32_t>(size); size == whole) {
      const fmt::format_int digits(whole);
      out.append(digits.data(), digits.size());
      out += ".0";
      return;
    }
    char text[32];
    const char* end = std::to_chars(text, text + sizeof text, size, std::chars_format::fixed).ptr;
    out.append(text, static_cast<std::size_t>(end - text));
    return;
  }
  char text[40];  // d.ddde[+-]dd or de[+-]dd
  const char* end =
      std::to_chars(text, text + sizeof text, size, std::chars_format::scientific).ptr;
  const char* e = std::find(static_cast<const char*>(text), end, 'e');
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  out.append(text, static_cast<std::size_t>(e - text));
  if (e - text == 1) out += ".0";
  out += 'E';
  char digits[8];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, exponent).ptr);
}

std::string java_double_text(double value) {
  std::string out;
  append_java_double(out, value);
  return out;
}

}  // namespace chancel
