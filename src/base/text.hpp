// SPDX-License-Identifier: Apache-2.0
// UTF-8 text by characters. Indices in programs count characters (code points), so finding one is
// linear in the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace chancel {

// The character that starts at byte `at` (< text.size()); `at` moves past it.
inline std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const DecodedChar c = decode_utf8(text, at);
  at += c.length;
  return c.code_point;
}
inline std::int64_t character_count(std::string_view text) {
  return static_cast<std::int64_t>(utf8_length(text));
}
bool character_at(std::string_view text, std::int64_t index, std::uint32_t* out);
// Byte offset of character `index` (index = count gives the end); npos when it is out of range.
std::size_t byte_offset(std::string_view text, std::int64_t index);
// The text itself, or its beginning and an ellipsis: at most `most` characters.
std::string cut_text(std::string_view text, std::size_t most);
// As Java's Character.isWhitespace.
bool is_space(std::uint32_t c);

}  // namespace chancel
