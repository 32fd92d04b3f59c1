// SPDX-License-Identifier: Apache-2.0
// Maps: constructors, keys and values, merging, counting.
#include <fmt/format.h>

#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/metadata.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"
#include "value/record.hpp"

namespace chancel {
namespace {

Value fill(NativeContext& cx, const char* function, Value map, const Value* a, std::uint32_t from,
           std::uint32_t n) {
  if ((n - from) % 2 != 0) {
    return cx.fail(Code::R002, fmt::format("{}: the key {} has no value", function, show(a[n - 1])),
                   static_cast<int>(n) - 1);
  }
  for (std::uint32_t i = from; i < n && cx.ok(); i += 2)
    map = assoc(cx, function, map, a[i], a[i + 1]);
  return map;
}
Value hash_map(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fill(cx, "hash-map", empty_hash_map(*cx.arena), a, 0, n);
}
Value array_map(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fill(cx, "array-map", empty_map(*cx.arena), a, 0, n);
}
Value sorted_map(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fill(cx, "sorted-map", empty_sorted_map(*cx.arena, Value::nil()), a, 0, n);
}
// The comparator is one of compare, < and > (the prelude handles other functions).
Value sorted_map_by(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fill(cx, "sorted-map-by", empty_sorted_map(*cx.arena, a[0]), a, 1, n);
}

Object* balanced(NativeContext& cx, const std::vector<Value>& items, std::size_t from,
                 std::size_t to) {
  if (from >= to) return nullptr;
  const std::size_t middle = from + (to - from) / 2;
  Object* left = balanced(cx, items, from, middle);
  Object* right = balanced(cx, items, middle + 1, to);
  auto* node = cx.arena->make<SortedNode>(Tag::SortedNode);
  node->size = to - from;
  node->left = left;
  node->right = right;
  node->key = items[2 * middle];
  node->value = items[2 * middle + 1];
  return node;
}
// (comparator keys-and-values): a sorted map whose entries are in order already.
Value sorted_map_from_ordered(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "sorted-map-by", a, 1, &items)) return Value::nil();
  auto* map = cx.arena->make<SortedMap>(Tag::SortedMap);
  map->count = items.size() / 2;
  map->comparator = a[0];
  map->root = nullptr;
  map->root = balanced(cx, items, 0, items.size() / 2);
  return Value::object(map);
}
Value sorted_set_from_ordered(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<Value> items;
  if (!read_items(cx, "sorted-set-by", a, 1, &items)) return Value::nil();
  std::vector<Value> twice;
  for (const Value& v : items) twice.insert(twice.end(), {v, v});
  const Value args[2] = {a[0], vector_of(cx, twice)};
  const Value map = sorted_map_from_ordered(cx, args, n);
  auto* set = cx.arena->make<Set>(Tag::SortedSet);
  set->map = map.o;
  return Value::object(set);
}
Value comparator_of(NativeContext&, const Value* a, std::uint32_t) {
  if (!ordered_by_function(a[0])) return Value::nil();
  const auto* map =
      a[0].is(Tag::SortedMap) ? a[0].as<SortedMap>() : static_cast<SortedMap*>(a[0].as<Set>()->map);
  return map->comparator;
}

bool check_map(NativeContext& cx, const char* function, const Value* a, int index) {
  if (a[index].is_nil() || is_map(a[index])) return true;
  cx.wrong_type(function, index, "a map", a[index]);
  return false;
}

enum class Part { Keys, Values };
Value parts(NativeContext& cx, const char* function, Part part, const Value& map) {
  std::vector<Value> items;
  if (is_map(map)) {
    map_each(map,
             [&](const Value& k, const Value& v) { items.push_back(part == Part::Keys ? k : v); });
  } else if (map.is(Tag::Record)) {
    const auto* r = map.as<Record>();
    for (std::size_t i = 0; i < r->type->fields.size(); ++i) {
      items.push_back(part == Part::Keys ? Value::keyword(r->type->fields[i]) : r->fields[i]);
    }
  } else if (!map.is_nil()) {
    for (SeqCursor it(cx, map, function, 0); it.next();) {
      if (!it.item().is(Tag::Vector) || it.item().as<Vector>()->count != 2) {
        return cx.wrong_type(function, 0, "a map", map);
      }
      items.push_back(vector_nth(it.item().as<Vector>(), part == Part::Keys ? 0 : 1));
    }
    if (!cx.ok()) return Value::nil();
  }
  return items.empty() ? Value::nil() : list_of(cx, items);
}
Value keys_of(NativeContext& cx, const Value* a, std::uint32_t) {
  return parts(cx, "keys", Part::Keys, a[0]);
}
Value vals_of(NativeContext& cx, const Value* a, std::uint32_t) {
  return parts(cx, "vals", Part::Values, a[0]);
}
Value entry_part(NativeContext& cx, const char* function, const Value& entry, std::uint32_t index) {
  if (entry.is(Tag::Vector) && entry.as<Vector>()->count == 2)
    return vector_nth(entry.as<Vector>(), index);
  return cx.wrong_type(function, 0, "an entry of a map", entry);
}
Value key_of(NativeContext& cx, const Value* a, std::uint32_t) {
  return entry_part(cx, "key", a[0], 0);
}
Value val_of(NativeContext& cx, const Value* a, std::uint32_t) {
  return entry_part(cx, "val", a[0], 1);
}
Value find_entry(NativeContext& cx, const Value* a, std::uint32_t) {
  Value found;
  return lookup(cx, a[0], a[1], &found) ? pair_of(cx, a[1], found) : Value::nil();
}

Value dissoc(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_map(cx, "dissoc", a, 0)) return Value::nil();
  Value map = a[0];
  for (std::uint32_t i = 1; i < n && !map.is_nil(); ++i) {
    Value key = a[i];
    if (!ensure_realised(cx, key)) return Value::nil();
    if (ordered_by_function(map))
      return cx.fail(Code::R009,
                     "dissoc: the order of this sorted map is a function of the program", 0);
    map = map_dissoc(*cx.arena, map, key);
  }
  return map;
}
Value merge(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value result = Value::nil();
  for (std::uint32_t i = 0; i < n && cx.ok(); ++i) {
    if (a[i].is_nil()) continue;
    if (result.is_nil()) {
      result = i == 0 ? a[i] : conj(cx, empty_map(*cx.arena), a[i]);
    } else {
      result = conj(cx, result, a[i]);
    }
  }
  return result;
}
Value select_keys(NativeContext& cx, const Value* a, std::uint32_t) {
  Value result = empty_map(*cx.arena);
  for (SeqCursor it(cx, a[1], "select-keys", 1); it.next();) {
    Value found;
    Value key = it.item();
    if (ensure_realised(cx, key) && lookup(cx, a[0], key, &found))
      result = map_assoc(*cx.arena, result, key, found);
    if (!cx.ok()) return Value::nil();
  }
  return cx.ok() ? result : Value::nil();
}
Value zipmap(NativeContext& cx, const Value* a, std::uint32_t) {
  // One of the two may be infinite: (zipmap names (range)). The finite one is read whole, the other
  // as far as needed.
  const bool values_infinite = a[1].is(Tag::Range) && a[1].as<Range>()->count < 0;
  std::vector<Value> keys;
  std::vector<Value> values;
  if (!read_items(cx, "zipmap", a, 0, &keys)) return Value::nil();
  if (values_infinite || a[1].is(Tag::LazySeq)) {
    SeqCursor it(cx, a[1], "zipmap", 1, false);
    while (values.size() < keys.size() && it.next()) values.push_back(it.item());
    if (!cx.ok()) return Value::nil();
  } else if (!read_items(cx, "zipmap", a, 1, &values)) {
    return Value::nil();
  }
  Value result = empty_map(*cx.arena);
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    if (!ensure_realised(cx, keys[i])) return Value::nil();
    result = map_assoc(*cx.arena, result, keys[i], values[i]);
  }
  return result;
}
Value frequencies(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "frequencies", a, 0, &items)) return Value::nil();
  Value result = empty_map(*cx.arena);
  for (Value& v : items) {
    if (!ensure_realised(cx, v)) return Value::nil();
    const Value* seen = map_find(result, v);
    result = map_assoc(*cx.arena, result, v, Value::integer(seen ? seen->i + 1 : 1));
  }
  return result;
}
Value map_invert(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_map(cx, "map-invert", a, 0)) return Value::nil();
  Value result = empty_map(*cx.arena);
  if (a[0].is_nil()) return result;
  map_each(a[0], [&](const Value& k, const Value& v) {
    Value key = v;
    if (ensure_realised(cx, key)) result = map_assoc(*cx.arena, result, key, k);
  });
  return result;
}
Value rename_keys(NativeContext& cx, const Value* a, std::uint32_t) {
  if (!check_map(cx, "rename-keys", a, 0) || !check_map(cx, "rename-keys", a, 1))
    return Value::nil();
  if (a[0].is_nil() || a[1].is_nil()) return a[0];
  Value result = a[0];
  map_each(a[1],
           [&](const Value& from, const Value&) { result = map_dissoc(*cx.arena, result, from); });
  map_each(a[1], [&](const Value& from, const Value& to) {
    const Value* found = map_find(a[0], from);
    if (found) result = map_assoc(*cx.arena, result, to, *found);
  });
  return result;
}
Value replace_items(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "replace", a, 1, &items)) return Value::nil();
  for (Value& item : items) {
    Value found;
    if (lookup(cx, a[0], item, &found)) item = found;
    if (!cx.ok()) return Value::nil();
  }
  return a[1].is(Tag::Vector) ? vector_of(cx, items) : list_of(cx, items);
}

constexpr NativeDef kMapsNatives[] = {
    {"hash-map", 0, -1, hash_map, kPure, "[& keys-and-values]", "A map of the keys and values."},
    {"array-map", 0, -1, array_map, kPure, "[& keys-and-values]",
     "A map that keeps the order of its entries while it is small."},
    {"sorted-map", 0, -1, sorted_map, kPure, "[& keys-and-values]",
     "A map whose keys are in order."},
    {"%sorted-map-by", 1, -1, sorted_map_by, kPure, "[comparator & keys-and-values]",
     "A map in the order of a native comparator."},
    {"%sorted-map-from-ordered", 2, 2, sorted_map_from_ordered, kPure,
     "[comparator keys-and-values]", "A sorted map of entries that are in order already."},
    {"%sorted-set-from-ordered", 2, 2, sorted_set_from_ordered, kPure, "[comparator items]",
     "A sorted set of items that are in order already."},
    {"%comparator", 1, 1, comparator_of, kPure, "[coll]",
     "The function that orders a sorted collection; nil when it is not a function of the program."},
    {"keys", 1, 1, keys_of, kPure, "[map]", "The keys of a map; nil when it is empty."},
    {"vals", 1, 1, vals_of, kPure, "[map]", "The values of a map; nil when it is empty."},
    {"key", 1, 1, key_of, kPure, "[entry]", "The key of an entry of a map."},
    {"val", 1, 1, val_of, kPure, "[entry]", "The value of an entry of a map."},
    {"find", 2, 2, find_entry, kPure, "[map key]", "The entry under the key, or nil."},
    {"dissoc", 1, -1, keeping_meta<dissoc>, kPure, "[map & keys]", "The map without the keys."},
    {"merge", 0, -1, keeping_meta<merge>, kPure, "[& maps]",
     "One map with the entries of all; later ones win."},
    {"select-keys", 2, 2, select_keys, kPure, "[map keys]", "The map with only these keys."},
    {"zipmap", 2, 2, zipmap, kPure, "[keys vals]",
     "A map of the keys to the values, pair by pair."},
    {"frequencies", 1, 1, frequencies, kPure, "[coll]",
     "A map of the different elements to how often they occur."},
    {"map-invert", 1, 1, map_invert, kPure, "[map]", "The map with keys and values exchanged."},
    {"rename-keys", 2, 2, rename_keys, kPure, "[map renames]",
     "The map with keys renamed as the second map says."},
    {"replace", 2, 2, replace_items, kPure, "[map coll]",
     "The elements, each replaced by what the map has under it."},
};

}  // namespace

std::span<const NativeDef> map_natives() { return kMapsNatives; }

}  // namespace chancel
