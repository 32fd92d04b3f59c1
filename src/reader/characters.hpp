// SPDX-License-Identifier: Apache-2.0
// Which characters separate tokens. The sets are Clojure's: commas and Unicode blanks are white
// space (the no-break space too, since pasted programs hold it), and ' # % may stand inside a token
// but not end one.
#pragma once
#include <cstdint>

namespace chancel {

inline bool is_white_space(std::uint32_t c) {
  if (c <= 0x20) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  if (c == ',') return true;
  if (c < 0xA0) return false;
  return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

// Ends a token without being part of it (white space aside).
inline bool is_terminator(std::uint32_t c) {
  switch (c) {
    case '"':
    case ';':
    case '^':
    case '@':
    case '`':
    case '~':
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '\\':
      return true;
    default:
      return false;
  }
}

inline bool is_control(std::uint32_t c) {
  return (c < 0x20 && !is_white_space(c)) || (c >= 0x7F && c < 0xA0);
}

inline bool is_digit(std::uint32_t c) { return c >= '0' && c <= '9'; }

// The value of c as a digit of a number system of up to 36, or 99.
inline int digit_value(std::uint32_t c) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'z') return static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return static_cast<int>(c - 'A') + 10;
  return 99;
}

}  // namespace chancel
