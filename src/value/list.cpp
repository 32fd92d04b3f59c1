// SPDX-License-Identifier: Apache-2.0
// Lists: cons cells of 32 bytes that store the length of the rest of the list when it is known. A
// list that is built in reverse (as eager map does) is turned into a sequence over a vector: half
// the memory, and no cell per element.
#include <algorithm>
#include <vector>

#include "value/collections.hpp"
#include "value/seq_walk.hpp"

namespace chancel {

Value cons(Arena& arena, const Value& first, const Value& rest) {
  auto* cell = static_cast<Cons*>(arena.allocate(Tag::Cons, sizeof(Cons)));
  cell->first = first;
  if (rest.is_nil() || rest.is(Tag::EmptyList)) {
    cell->words = 1;
    cell->rest = nullptr;
  } else if (rest.is(Tag::Cons)) {
    const std::uint32_t behind = rest.as<Cons>()->words;
    cell->words = behind >= kUncounted - 1 ? kUncounted : behind + 1;
    cell->rest = rest.o;
  } else {
    CHANCEL_DEBUG_ASSERT(is_seq(rest), "the rest of a list cell is not a sequence");
    const std::int64_t behind = known_count(rest);
    const bool counted = behind >= 0 && behind < std::int64_t{kUncounted} - 1;
    cell->words = counted ? static_cast<std::uint32_t>(behind + 1) : kUncounted;
    cell->rest = rest.o;
  }
  return Value::object(cell);
}

Value make_list(Arena& arena, const Value* items, std::size_t count) {
  Value list = Value::empty_list();
  while (count > 0) list = cons(arena, items[--count], list);
  return list;
}

Value reverse_to_list(Arena& arena, const Value& reversed) {
  std::vector<Value> items;
  const std::int64_t expected = known_count(reversed);
  if (expected > 0) items.reserve(static_cast<std::size_t>(expected));
  SeqWalk walk(nullptr, reversed);
  while (walk.next() == SeqWalk::Step::Item) items.push_back(walk.item());
  std::reverse(items.begin(), items.end());
  return make_vector_seq(arena, make_vector(arena, items.data(), items.size()), 0);
}

}  // namespace chancel
