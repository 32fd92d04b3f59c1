// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

namespace chancel {

std::size_t byte_offset(std::string_view text, std::int64_t index) {
  if (index < 0) return std::string_view::npos;
  std::size_t at = 0;
  for (; index > 0; --index) {
    if (at >= text.size()) return std::string_view::npos;
    next_character(text, at);
  }
  return at;
}

bool character_at(std::string_view text, std::int64_t index, std::uint32_t* out) {
  std::size_t at = byte_offset(text, index);
  if (at >= text.size()) return false;
  *out = next_character(text, at);
  return true;
}

bool is_space(std::uint32_t c) {
  return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x1f) || c == 0x2028 ||
         c == 0x2029 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a && c != 0x2007) || c == 0x205f ||
         c == 0x3000;
}

std::string cut_text(std::string_view text, std::size_t most) {
  if (utf8_length(text) <= most) return std::string(text);
  std::size_t at = 0;
  for (std::size_t k = 0; k + 1 < most; ++k) at += decode_utf8(text, at).length;
  return std::string(text.substr(0, at)) + "…";
}

}  // namespace chancel
