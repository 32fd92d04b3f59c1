// SPDX-License-Identifier: Apache-2.0
#include "value/metadata.hpp"

#include "value/copy_object.hpp"

namespace chancel {

bool carries_meta(const Value& v) {
  switch (v.tag) {
    case Tag::EmptyList:
    case Tag::Cons:
    case Tag::Vector:
    case Tag::VectorSeq:
    case Tag::Range:
    case Tag::LazySeq:
    case Tag::ArrayMap:
    case Tag::HashMap:
    case Tag::SortedMap:
    case Tag::Set:
    case Tag::SortedSet:
    case Tag::Record:
    case Tag::Closure:
      return true;
    default:
      return false;
  }
}

Value with_meta(Arena& arena, const Value& v, const Value& meta) {
  if (!carries_meta(v) || (meta.is_nil() && !has_meta(v))) return v;
  const std::size_t room = meta.is_nil() ? 0 : sizeof(Value);
  if (v.is(Tag::Cons) || v.is(Tag::EmptyList)) {
    auto* list = arena.make<LazySeq>(Tag::LazySeq, sizeof(LazySeq) + room);
    list->state = 1;
    list->id = 0;
    list->value = v.is(Tag::EmptyList) ? Value::nil() : v;
    list->flags |= kHasMeta;
    *meta_slot(list) = meta;
    return Value::object(list);
  }
  const std::size_t bytes = size_of(v.o) - (has_meta(v) ? sizeof(Value) : 0);
  Object* copy = copy_object(arena, v.o, bytes, room);
  if (room != 0) {
    copy->flags |= kHasMeta;
    *meta_slot(copy) = meta;
  }
  return Value::object(copy);
}

}  // namespace chancel
