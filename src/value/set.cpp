// SPDX-License-Identifier: Apache-2.0
// Sets: a map whose keys are the items and whose values are the items again. Hash sets always use a
// hash trie, as in Clojure, so that their order agrees with it from the first item on.
#include "value/collections.hpp"

namespace chancel {

namespace {

Value inside(const Value& set) { return Value::object(set.as<Set>()->map); }

Value set_over(Arena& arena, Tag tag, const Value& map) {
  auto* set = arena.make<Set>(tag);
  set->map = map.o;
  return Value::object(set);
}

}  // namespace

bool is_set(const Value& v) { return v.is(Tag::Set) || v.is(Tag::SortedSet); }

Value empty_set(Arena& arena) { return set_over(arena, Tag::Set, empty_hash_map(arena)); }
Value empty_sorted_set(Arena& arena, const Value& comparator) {
  return set_over(arena, Tag::SortedSet, empty_sorted_map(arena, comparator));
}

std::uint64_t set_count(const Value& set) { return map_count(inside(set)); }
bool set_contains(const Value& set, const Value& item) {
  return map_find(inside(set), item) != nullptr;
}

Value set_conj(Arena& arena, const Value& set, const Value& item) {
  const Value map = inside(set);
  if (map_find(map, item)) return set;
  return set_over(arena, set.tag, map_assoc(arena, map, item, item));
}

Value set_disj(Arena& arena, const Value& set, const Value& item) {
  const Value map = inside(set);
  const Value smaller = map_dissoc(arena, map, item);
  return smaller.o == map.o ? set : set_over(arena, set.tag, smaller);
}

}  // namespace chancel
