// SPDX-License-Identifier: Apache-2.0
// Copies one object; what it refers to is shared.
#pragma once
#include <cstring>

#include "value/heap.hpp"

namespace chancel {

// Its first `bytes` (all of them, unless a part at the end is left out) with `room` for more after
// them. Marks of the collector and of metadata are not copied.
inline Object* copy_object(Arena& arena, const Object* o, std::size_t bytes, std::size_t room = 0) {
  Object* const copy = arena.allocate(o->tag, bytes + room);
  const std::uint32_t words = copy->words;
  std::memcpy(static_cast<void*>(copy), o, bytes);
  copy->flags = 0;
  if (o->tag != Tag::Cons) copy->words = words;  // there: the count of the list
  return copy;
}
inline Object* copy_object(Arena& arena, const Object* o) {
  return copy_object(arena, o, size_of(o));
}

}  // namespace chancel
