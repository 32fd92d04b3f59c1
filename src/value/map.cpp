// SPDX-License-Identifier: Apache-2.0
// Maps: up to 8 entries lie in one ArrayMap in the order in which they came; more are a hash trie
// (HAMT) of bitmap nodes with 5 bits of the hash per level. Clojure's trie changes to full 32-slot
// nodes above 16 children; ours stays with bitmap nodes, which are walked in the same order (by the
// 5-bit chunk of the hash), so that maps print as they do in Clojure. Clojure keeps the key nil
// apart and first; its hash is 0 here, which is first too, and inside a collision node we put it
// first. What is common to all kinds of maps (count, find, assoc, dissoc, each) is at the end.
#include <cstring>

#include "value/collections.hpp"
#include "value/key_equality.hpp"
#include "value/record.hpp"
#include "value/seq_walk.hpp"
#include "value/sorted_tree.hpp"

namespace chancel {

namespace {

constexpr std::size_t kArrayMapHead = sizeof(ArrayMap) - 2 * sizeof(Value);
constexpr std::size_t kNodeHead = sizeof(MapNode) - 2 * sizeof(Value);
static_assert(sizeof(MapNode) == sizeof(CollisionNode));

void copy_values(Value* to, const Value* from, std::size_t count) {
  if (count) std::memcpy(static_cast<void*>(to), from, count * sizeof(Value));
}

bool identical(const Value& a, const Value& b) { return a.tag == b.tag && a.bits == b.bits; }

// The arrays at the end of objects through pointers: they are longer than they are declared.
Value* entries(ArrayMap* m) { return m->entries; }
const Value* entries(const ArrayMap* m) { return m->entries; }
Value* slots(MapNode* node) { return node->slots; }
const Value* slots(const MapNode* node) { return node->slots; }

// --- array maps ---

ArrayMap* new_array_map(Arena& arena, std::uint64_t count) {
  auto* m = static_cast<ArrayMap*>(
      arena.allocate(Tag::ArrayMap, kArrayMapHead + count * 2 * sizeof(Value)));
  m->count = count;
  return m;
}

// Index of the key's entry, or count.
template <class Same = EqualKeys>
std::uint64_t array_index(const ArrayMap* m, const Value& key, Same equal_keys = {}) {
  std::uint64_t i = 0;
  while (i < m->count && !equal_keys(entries(m)[2 * i], key)) ++i;
  return i;
}

// --- hash tries ---

std::uint32_t bit_of(std::uint32_t hash, std::uint32_t shift) {
  return std::uint32_t{1} << ((hash >> shift) & 31);
}

// Bits set, without relying on a popcnt instruction (the default target has none).
std::uint32_t bits_set(std::uint32_t x) {
  x -= (x >> 1) & 0x55555555u;
  x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  return (x * 0x01010101u) >> 24;
}
std::uint32_t slot_of(std::uint64_t bitmap, std::uint32_t bit) {
  return bits_set(static_cast<std::uint32_t>(bitmap) & (bit - 1));
}
std::uint32_t slot_count(const Object* node) { return (node->words - kNodeHead / 8) / 4; }

bool is_child(const Value& key) { return key.tag >= Tag::VectorNode; }

// A MapNode or CollisionNode with room for `count` slots.
MapNode* new_node(Arena& arena, Tag tag, std::uint64_t bitmap_or_hash, std::uint32_t count) {
  auto* node = static_cast<MapNode*>(
      arena.allocate(tag, kNodeHead + std::size_t{count} * 2 * sizeof(Value)));
  node->bitmap = bitmap_or_hash;
  return node;
}

void set_slot(MapNode* node, std::uint32_t slot, const Value& key, const Value& value) {
  slots(node)[2 * slot] = key;
  slots(node)[2 * slot + 1] = value;
}

MapNode* with_slot_inserted(Arena& arena, const MapNode* node, std::uint64_t bitmap_or_hash,
                            std::uint32_t slot, const Value& key, const Value& value) {
  const std::uint32_t count = slot_count(node);
  MapNode* copy = new_node(arena, node->tag, bitmap_or_hash, count + 1);
  copy_values(slots(copy), slots(node), 2 * slot);
  set_slot(copy, slot, key, value);
  copy_values(slots(copy) + 2 * slot + 2, slots(node) + 2 * slot, 2 * (count - slot));
  return copy;
}

MapNode* with_slot_replaced(Arena& arena, const MapNode* node, std::uint32_t slot, const Value& key,
                            const Value& value) {
  const std::uint32_t count = slot_count(node);
  MapNode* copy = new_node(arena, node->tag, node->bitmap, count);
  copy_values(slots(copy), slots(node), 2 * count);
  set_slot(copy, slot, key, value);
  return copy;
}

MapNode* with_slot_removed(Arena& arena, const MapNode* node, std::uint64_t bitmap_or_hash,
                           std::uint32_t slot) {
  const std::uint32_t count = slot_count(node);
  MapNode* copy = new_node(arena, node->tag, bitmap_or_hash, count - 1);
  copy_values(slots(copy), slots(node), 2 * slot);
  copy_values(slots(copy) + 2 * slot, slots(node) + 2 * slot + 2, 2 * (count - slot - 1));
  return copy;
}

// The node that holds two entries whose keys differ.
Object* pair_node(Arena& arena, std::uint32_t shift, const Value& key1, const Value& value1,
                  std::uint32_t hash1, const Value& key2, const Value& value2,
                  std::uint32_t hash2) {
  if (hash1 == hash2) {
    MapNode* node = new_node(arena, Tag::CollisionNode, hash1, 2);
    const std::uint32_t first = key2.is_nil() ? 1 : 0;
    set_slot(node, first, key1, value1);
    set_slot(node, 1 - first, key2, value2);
    return node;
  }
  const std::uint32_t bit1 = bit_of(hash1, shift), bit2 = bit_of(hash2, shift);
  if (bit1 == bit2) {
    Object* below = pair_node(arena, shift + 5, key1, value1, hash1, key2, value2, hash2);
    MapNode* node = new_node(arena, Tag::MapNode, bit1, 1);
    set_slot(node, 0, Value::object(below), Value::nil());
    return node;
  }
  MapNode* node = new_node(arena, Tag::MapNode, bit1 | bit2, 2);
  set_slot(node, bit1 < bit2 ? 0 : 1, key1, value1);
  set_slot(node, bit1 < bit2 ? 1 : 0, key2, value2);
  return node;
}

template <class Same>
const Value* find_in(const Object* root, std::uint32_t hash, const Value& key, Same equal_keys) {
  const auto* node = static_cast<const MapNode*>(root);
  for (std::uint32_t shift = 0;; shift += 5) {
    if (CHANCEL_UNLIKELY(node->tag == Tag::CollisionNode)) {
      if (node->bitmap != hash) return nullptr;
      for (std::uint32_t i = 0, n = slot_count(node); i < n; ++i)
        if (equal_keys(slots(node)[2 * i], key)) return &slots(node)[2 * i + 1];
      return nullptr;
    }
    const std::uint32_t bit = bit_of(hash, shift);
    if (!(node->bitmap & bit)) return nullptr;
    const Value* slot = &slots(node)[2 * slot_of(node->bitmap, bit)];
    if (!is_child(*slot)) return equal_keys(*slot, key) ? slot + 1 : nullptr;
    node = static_cast<const MapNode*>(slot->o);
  }
}

Object* assoc_in(Arena& arena, Object* object, std::uint32_t shift, std::uint32_t hash,
                 const Value& key, const Value& value, bool* added) {
  auto* node = static_cast<MapNode*>(object);
  if (node->tag == Tag::CollisionNode) {
    if (node->bitmap == hash) {
      const std::uint32_t count = slot_count(node);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!equal(slots(node)[2 * i], key)) continue;
        if (identical(slots(node)[2 * i + 1], value)) return node;
        return with_slot_replaced(arena, node, i, slots(node)[2 * i], value);
      }
      *added = true;
      return with_slot_inserted(arena, node, hash, key.is_nil() ? 0 : count, key, value);
    }
    MapNode* above =
        new_node(arena, Tag::MapNode, bit_of(static_cast<std::uint32_t>(node->bitmap), shift), 1);
    set_slot(above, 0, Value::object(node), Value::nil());
    node = above;
  }
  const std::uint32_t bit = bit_of(hash, shift);
  const std::uint32_t slot = slot_of(node->bitmap, bit);
  if (!(node->bitmap & bit)) {
    *added = true;
    return with_slot_inserted(arena, node, node->bitmap | bit, slot, key, value);
  }
  const Value& old_key = slots(node)[2 * slot];
  const Value& old_value = slots(node)[2 * slot + 1];
  if (is_child(old_key)) {
    Object* below = assoc_in(arena, old_key.o, shift + 5, hash, key, value, added);
    if (below == old_key.o) return node;
    return with_slot_replaced(arena, node, slot, Value::object(below), Value::nil());
  }
  if (equal(old_key, key)) {
    if (identical(old_value, value)) return node;
    return with_slot_replaced(arena, node, slot, old_key, value);
  }
  *added = true;
  Object* below =
      pair_node(arena, shift + 5, old_key, old_value, chancel::hash(old_key), key, value, hash);
  return with_slot_replaced(arena, node, slot, Value::object(below), Value::nil());
}

// Null when nothing is left. A node with a single entry is pulled up into its parent.
Object* dissoc_in(Arena& arena, Object* object, std::uint32_t shift, std::uint32_t hash,
                  const Value& key) {
  auto* node = static_cast<MapNode*>(object);
  const std::uint32_t count = slot_count(node);
  if (node->tag == Tag::CollisionNode) {
    if (node->bitmap != hash) return node;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!equal(slots(node)[2 * i], key)) continue;
      if (count > 2) return with_slot_removed(arena, node, hash, i);
      // Below the last level (shift 30) the parent pulls the entry up, and the bit means nothing.
      MapNode* single =
          new_node(arena, Tag::MapNode, shift > 30 ? std::uint32_t{1} : bit_of(hash, shift), 1);
      set_slot(single, 0, slots(node)[2 * (1 - i)], slots(node)[2 * (1 - i) + 1]);
      return single;
    }
    return node;
  }
  const std::uint32_t bit = bit_of(hash, shift);
  if (!(node->bitmap & bit)) return node;
  const std::uint32_t slot = slot_of(node->bitmap, bit);
  const Value& there = slots(node)[2 * slot];
  if (is_child(there)) {
    Object* below = dissoc_in(arena, there.o, shift + 5, hash, key);
    if (below == there.o) return node;
    if (below) {
      const auto* child = static_cast<MapNode*>(below);
      if (child->tag == Tag::MapNode && slot_count(child) == 1 && !is_child(slots(child)[0]))
        return with_slot_replaced(arena, node, slot, slots(child)[0], slots(child)[1]);
      return with_slot_replaced(arena, node, slot, Value::object(below), Value::nil());
    }
  } else if (!equal(there, key)) {
    return node;
  }
  return count == 1 ? nullptr
                    : with_slot_removed(arena, node, node->bitmap & ~std::uint64_t{bit}, slot);
}

using EachFn = void (*)(void*, const Value&, const Value&);

void each_in(const Object* object, void* context, EachFn f) {
  const auto* node = static_cast<const MapNode*>(object);
  for (std::uint32_t i = 0, n = slot_count(node); i < n; ++i) {
    if (is_child(slots(node)[2 * i]))
      each_in(slots(node)[2 * i].o, context, f);
    else
      f(context, slots(node)[2 * i], slots(node)[2 * i + 1]);
  }
}

Value hash_map_of(Arena& arena, std::uint64_t count, Object* root) {
  auto* m = arena.make<HashMap>(Tag::HashMap);
  m->count = count;
  m->root = root;
  return Value::object(m);
}

Object* assoc_root(Arena& arena, Object* root, const Value& key, const Value& value, bool* added) {
  const std::uint32_t h = hash(key);
  if (root) return assoc_in(arena, root, 0, h, key, value, added);
  *added = true;
  MapNode* node = new_node(arena, Tag::MapNode, bit_of(h, 0), 1);
  set_slot(node, 0, key, value);
  return node;
}

Value hash_map_assoc(Arena& arena, const Value& map, const Value& key, const Value& value) {
  const auto* m = map.as<HashMap>();
  bool added = false;
  Object* root = assoc_root(arena, m->root, key, value, &added);
  return root == m->root ? map : hash_map_of(arena, m->count + (added ? 1 : 0), root);
}

Value array_map_assoc(Arena& arena, const Value& map, const Value& key, const Value& value) {
  const auto* m = map.as<ArrayMap>();
  const std::uint64_t i = array_index(m, key);
  if (i < m->count) {
    if (identical(entries(m)[2 * i + 1], value)) return map;
    ArrayMap* copy = new_array_map(arena, m->count);
    copy_values(entries(copy), entries(m), 2 * m->count);
    entries(copy)[2 * i + 1] = value;
    return Value::object(copy);
  }
  if (m->count < kArrayMapLimit) {
    ArrayMap* copy = new_array_map(arena, m->count + 1);
    copy_values(entries(copy), entries(m), 2 * m->count);
    entries(copy)[2 * i] = key;
    entries(copy)[2 * i + 1] = value;
    return Value::object(copy);
  }
  Object* root = nullptr;
  bool added;
  for (std::uint64_t j = 0; j < m->count; ++j)
    root = assoc_root(arena, root, entries(m)[2 * j], entries(m)[2 * j + 1], &added);
  root = assoc_root(arena, root, key, value, &added);
  return hash_map_of(arena, m->count + 1, root);
}

// The map inside a set; the map itself for maps.
Value map_inside(const Value& v) { return is_set(v) ? Value::object(v.as<Set>()->map) : v; }

}  // namespace

bool is_map(const Value& v) {
  return v.is(Tag::ArrayMap) || v.is(Tag::HashMap) || v.is(Tag::SortedMap);
}

Value empty_map(Arena& arena) { return Value::object(new_array_map(arena, 0)); }
Value empty_hash_map(Arena& arena) { return hash_map_of(arena, 0, nullptr); }

std::uint64_t map_count(const Value& map) {
  if (map.is(Tag::ArrayMap)) return map.as<ArrayMap>()->count;
  return map.is(Tag::HashMap) ? map.as<HashMap>()->count : map.as<SortedMap>()->count;
}

namespace {
template <class Same>
const Value* find(const Value& map, const Value& key, Same equal_keys) {
  if (map.is(Tag::ArrayMap)) {
    const auto* m = map.as<ArrayMap>();
    const std::uint64_t i = array_index(m, key, equal_keys);
    return i < m->count ? &entries(m)[2 * i + 1] : nullptr;
  }
  if (map.is(Tag::HashMap)) {
    const auto* m = map.as<HashMap>();
    return m->root ? find_in(m->root, hash(key), key, equal_keys) : nullptr;
  }
  return sorted_find(map.as<SortedMap>(), key, equal_keys);
}
}  // namespace

const Value* map_find(const Value& map, const Value& key) { return find(map, key, EqualKeys{}); }
const Value* map_find(const Value& map, const Value& key, KeyEquality& keys) {
  return find(map, key, KeysWithin{&keys});
}

Value map_assoc(Arena& arena, const Value& map, const Value& key, const Value& value) {
  if (map.is(Tag::ArrayMap)) return array_map_assoc(arena, map, key, value);
  if (map.is(Tag::HashMap)) return hash_map_assoc(arena, map, key, value);
  return sorted_assoc(arena, map.as<SortedMap>(), key, value);
}

Value map_dissoc(Arena& arena, const Value& map, const Value& key) {
  if (map.is(Tag::ArrayMap)) {
    const auto* m = map.as<ArrayMap>();
    const std::uint64_t i = array_index(m, key);
    if (i == m->count) return map;
    ArrayMap* copy = new_array_map(arena, m->count - 1);
    copy_values(entries(copy), entries(m), 2 * i);
    copy_values(entries(copy) + 2 * i, entries(m) + 2 * i + 2, 2 * (m->count - i - 1));
    return Value::object(copy);
  }
  if (map.is(Tag::HashMap)) {
    const auto* m = map.as<HashMap>();
    if (!m->root) return map;
    Object* root = dissoc_in(arena, m->root, 0, hash(key), key);
    return root == m->root ? map : hash_map_of(arena, m->count - 1, root);
  }
  return sorted_dissoc(arena, map.as<SortedMap>(), key);
}

void map_each_erased(const Value& map, void* context, EachFn f) {
  const Value inside = map_inside(map);
  if (inside.is(Tag::ArrayMap)) {
    const auto* m = inside.as<ArrayMap>();
    for (std::uint64_t i = 0; i < m->count; ++i)
      f(context, entries(m)[2 * i], entries(m)[2 * i + 1]);
  } else if (inside.is(Tag::HashMap)) {
    if (Object* root = inside.as<HashMap>()->root) each_in(root, context, f);
  } else if (inside.is(Tag::SortedMap)) {
    sorted_each(inside.as<SortedMap>(), context, f);
  } else if (inside.is(Tag::Record)) {
    const auto* r = inside.as<Record>();
    for (std::size_t i = 0; i < r->type->fields.size(); ++i)
      f(context, Value::keyword(r->type->fields[i]), r->fields[i]);
  }
}

bool first_entry(const Value& coll, Value* key, Value* value) {
  const Value inside = map_inside(coll);
  const Value* entry = nullptr;
  if (inside.is(Tag::HashMap)) {
    const Object* node = inside.as<HashMap>()->root;
    while (node) {
      entry = slots(static_cast<const MapNode*>(node));
      node = is_child(*entry) ? entry->o : nullptr;
    }
  } else if (inside.is(Tag::ArrayMap)) {
    if (inside.as<ArrayMap>()->count) entry = entries(inside.as<ArrayMap>());
  } else if (inside.is(Tag::SortedMap)) {
    if (!inside.as<SortedMap>()->count) return false;
    sorted_at(inside, 0, key, value);
    return true;
  } else if (inside.is(Tag::Record)) {
    const auto* r = inside.as<Record>();
    if (r->type->fields.empty()) return false;
    *key = Value::keyword(r->type->fields[0]);
    *value = r->fields[0];
    return true;
  }
  if (!entry) return false;
  *key = entry[0];
  *value = entry[1];
  return true;
}

}  // namespace chancel
