// SPDX-License-Identifier: Apache-2.0
// Strings: the bytes and their hash in one object. The hash is computed when the string is made,
// because strings are mostly made once (constants, keys) and compared often.
#include <cstring>

#include "base/hash.hpp"
#include "value/collections.hpp"

namespace chancel {

Value make_string(Arena& arena, std::string_view text) {
  constexpr std::size_t kHead = sizeof(String) - sizeof(String::text);
  auto* s = arena.make<String>(Tag::String, kHead + (text.empty() ? 8 : text.size()));
  s->length = static_cast<std::uint32_t>(text.size());
  s->hash = hash_string(text);
  if (!text.empty()) std::memcpy(s->text, text.data(), text.size());
  return Value::object(s);
}

}  // namespace chancel
