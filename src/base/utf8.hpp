// SPDX-License-Identifier: Apache-2.0
// UTF-8 one character at a time. Strings of programs are UTF-8 in memory, while Clojure counts and
// hashes UTF-16 units; these few functions are the whole bridge. Decoding never fails: a byte that
// starts no valid character (overlong, surrogate, above U+10FFFF, cut off) reads as kReplacement
// and takes one byte.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace chancel {

inline constexpr std::uint32_t kReplacement = 0xFFFD;

struct DecodedChar {
  std::uint32_t code_point;
  std::uint32_t length;  // bytes taken, at least 1
  bool valid;
};

// The character at byte `at` (at < text.size()).
DecodedChar decode_utf8(std::string_view text, std::size_t at);
void append_utf8(std::string& out, std::uint32_t code_point);
// The number of characters (code points).
std::size_t utf8_length(std::string_view text);
// The offset of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace chancel
