// SPDX-License-Identifier: Apache-2.0
// Sorted maps as map.cpp and set.cpp see them. Keys are ordered by the map's comparator when it is
// nil, compare, < or >; keys that cannot be compared with each other are ordered by type and hash,
// so that nothing breaks.
#pragma once
#include "value/collections.hpp"
#include "value/key_equality.hpp"

namespace chancel {

const Value* sorted_find(const SortedMap* map, const Value& key, EqualKeys equal_keys);
const Value* sorted_find(const SortedMap* map, const Value& key, KeysWithin equal_keys);
Value sorted_assoc(Arena& arena, const SortedMap* map, const Value& key, const Value& value);
Value sorted_dissoc(Arena& arena, const SortedMap* map, const Value& key);
void sorted_each(const SortedMap* map, void* context, void (*f)(void*, const Value&, const Value&));

}  // namespace chancel
