// SPDX-License-Identifier: Apache-2.0
// UTF-8 decoding by the table of well-formed sequences (Unicode 15, table 3-7), ASCII first.
#include "base/utf8.hpp"

namespace chancel {

DecodedChar decode_utf8(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  auto continues = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const std::uint32_t b0 = byte(at);
  if (b0 < 0x80) return {b0, 1, true};
  if (b0 >= 0xC2 && b0 <= 0xDF && continues(at + 1)) {
    return {((b0 & 0x1F) << 6) | (byte(at + 1) & 0x3F), 2, true};
  }
  if (b0 >= 0xE0 && b0 <= 0xEF && continues(at + 1) && continues(at + 2)) {
    const std::uint32_t c =
        ((b0 & 0x0F) << 12) | ((byte(at + 1) & 0x3F) << 6) | (byte(at + 2) & 0x3F);
    if (c >= 0x800 && (c < 0xD800 || c > 0xDFFF)) return {c, 3, true};
  }
  if (b0 >= 0xF0 && b0 <= 0xF4 && continues(at + 1) && continues(at + 2) && continues(at + 3)) {
    const std::uint32_t c = ((b0 & 0x07) << 18) | ((byte(at + 1) & 0x3F) << 12) |
                            ((byte(at + 2) & 0x3F) << 6) | (byte(at + 3) & 0x3F);
    if (c >= 0x10000 && c <= 0x10FFFF) return {c, 4, true};
  }
  return {kReplacement, 1, false};
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) c = kReplacement;
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (c >> 6)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (c >> 12)));
    out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | (c >> 18)));
    out.push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

std::size_t utf8_length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) i += decode_utf8(text, i).length;
  return count;
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const DecodedChar c = decode_utf8(text, i);
    if (!c.valid) return i;
    i += c.length;
  }
  return std::string_view::npos;
}

}  // namespace chancel
