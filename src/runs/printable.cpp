// SPDX-License-Identifier: Apache-2.0
// See printable.hpp.
#include "runs/printable.hpp"

#include <vector>

#include "value/collections.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

bool can_be_printed(NativeContext& cx, const Value& v) {
  constexpr std::size_t kLeastBytes = 2;  // of a part: a character and a space
  constexpr std::size_t kLookEvery = 256;
  std::vector<Value> open;
  open.reserve(32);
  open.push_back(v);
  std::size_t parts = 0;
  while (!open.empty()) {
    const Value at = open.back();
    open.pop_back();
    const auto look = [&](const Value& part) {
      if (CHANCEL_UNLIKELY(++parts % kLookEvery == 0)) {
        cx.tick(kLookEvery);
        cx.room_for(parts * kLeastBytes + open.size() * sizeof(Value));
      }
      if (part.is_object()) open.push_back(part);
    };
    if (at.is(Tag::Vector)) {
      const auto* vector = at.as<Vector>();
      for (std::uint32_t i = 0; i < vector->count; ++i) look(vector_nth(vector, i));
    } else if (is_sequential(at)) {
      SeqWalk walk(nullptr, at);
      while (!walk.at().is(Tag::Range) && walk.next() == SeqWalk::Step::Item) look(walk.item());
      if (is_endless(walk.at())) return false;
      if (walk.at().is(Tag::Range)) {
        const auto left = static_cast<std::size_t>(walk.left());
        cx.room_for(left > ~std::size_t{0} / kLeastBytes ? left : left * kLeastBytes);
        parts += left;
      }
    } else if (is_map(at) || is_set(at) || at.is(Tag::Record)) {
      map_each(at, [&](const Value& key, const Value& value) {
        look(key);
        if (!is_set(at)) look(value);
      });
    } else if (at.is(Tag::String)) {
      parts += string_view_of(at).size() / kLeastBytes;
    }
  }
  return true;
}

}  // namespace chancel
