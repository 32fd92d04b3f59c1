// SPDX-License-Identifier: Apache-2.0
// Sorted maps: a persistent weight-balanced tree (Adams 1992, with the parameters 3 and 2 that
// Hirai and Yamamoto 2011 proved right). The sizes also give access by position. O(log n) new nodes
// per change.
#include <cstring>

#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/sorted_tree.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kDelta = 3;
constexpr std::uint64_t kGamma = 2;

std::uint64_t size(const Object* node) {
  return node ? static_cast<const SortedNode*>(node)->size : 0;
}
const SortedNode* as_node(const Object* node) { return static_cast<const SortedNode*>(node); }

Object* new_node(Arena& arena, Object* left, const Value& key, const Value& value, Object* right) {
  auto* node = arena.make<SortedNode>(Tag::SortedNode);
  node->size = size(left) + size(right) + 1;
  node->left = left;
  node->right = right;
  node->key = key;
  node->value = value;
  return node;
}

Object* rotate_left(Arena& arena, Object* left, const Value& key, const Value& value,
                    const SortedNode* r) {
  if (size(r->left) < kGamma * size(r->right) + kGamma - 1)
    return new_node(arena, new_node(arena, left, key, value, r->left), r->key, r->value, r->right);
  const SortedNode* middle = as_node(r->left);
  return new_node(arena, new_node(arena, left, key, value, middle->left), middle->key,
                  middle->value, new_node(arena, middle->right, r->key, r->value, r->right));
}

Object* rotate_right(Arena& arena, const SortedNode* l, const Value& key, const Value& value,
                     Object* right) {
  if (size(l->right) < kGamma * size(l->left) + kGamma - 1)
    return new_node(arena, l->left, l->key, l->value, new_node(arena, l->right, key, value, right));
  const SortedNode* middle = as_node(l->right);
  return new_node(arena, new_node(arena, l->left, l->key, l->value, middle->left), middle->key,
                  middle->value, new_node(arena, middle->right, key, value, right));
}

// A node over two trees of which one may have gained or lost one entry. Weights are sizes + 1.
Object* balance(Arena& arena, Object* left, const Value& key, const Value& value, Object* right) {
  const std::uint64_t wl = size(left) + 1, wr = size(right) + 1;
  if (wr > kDelta * wl) return rotate_left(arena, left, key, value, as_node(right));
  if (wl > kDelta * wr) return rotate_right(arena, as_node(left), key, value, right);
  return new_node(arena, left, key, value, right);
}

const SortedNode* node_at(const Object* node, std::uint64_t position) {
  for (;;) {
    const SortedNode* n = as_node(node);
    const std::uint64_t before = size(n->left);
    if (position == before) return n;
    if (position < before) {
      node = n->left;
    } else {
      node = n->right;
      position -= before + 1;
    }
  }
}

Object* insert_at(Arena& arena, Object* node, std::uint64_t position, const Value& key,
                  const Value& value) {
  if (!node) return new_node(arena, nullptr, key, value, nullptr);
  const SortedNode* n = as_node(node);
  const std::uint64_t before = size(n->left);
  if (position <= before)
    return balance(arena, insert_at(arena, n->left, position, key, value), n->key, n->value,
                   n->right);
  return balance(arena, n->left, n->key, n->value,
                 insert_at(arena, n->right, position - before - 1, key, value));
}

Object* replace_at(Arena& arena, Object* node, std::uint64_t position, const Value& value) {
  const SortedNode* n = as_node(node);
  const std::uint64_t before = size(n->left);
  if (position == before) return new_node(arena, n->left, n->key, value, n->right);
  if (position < before)
    return new_node(arena, replace_at(arena, n->left, position, value), n->key, n->value, n->right);
  return new_node(arena, n->left, n->key, n->value,
                  replace_at(arena, n->right, position - before - 1, value));
}

Object* remove_at(Arena& arena, Object* node, std::uint64_t position) {
  const SortedNode* n = as_node(node);
  const std::uint64_t before = size(n->left);
  if (position < before)
    return balance(arena, remove_at(arena, n->left, position), n->key, n->value, n->right);
  if (position > before)
    return balance(arena, n->left, n->key, n->value,
                   remove_at(arena, n->right, position - before - 1));
  if (!n->left) return n->right;
  if (!n->right) return n->left;
  if (size(n->left) > size(n->right)) {
    const SortedNode* up = node_at(n->left, before - 1);
    return balance(arena, remove_at(arena, n->left, before - 1), up->key, up->value, n->right);
  }
  const SortedNode* up = node_at(n->right, 0);
  return balance(arena, n->left, up->key, up->value, remove_at(arena, n->right, 0));
}

enum class Order { Compare, Less, Greater, Program };

Order order_of(const Value& comparator) {
  if (comparator.is_nil()) return Order::Compare;
  if (comparator.is(Tag::Native)) {
    const char* name = comparator.native->name;
    if (std::strcmp(name, "<") == 0) return Order::Less;
    if (std::strcmp(name, ">") == 0) return Order::Greater;
    if (std::strcmp(name, "compare") == 0) return Order::Compare;
  }
  return Order::Program;
}

std::optional<int> compare_by(Order order, const Value& a, const Value& b) {
  if (order == Order::Compare) return compare(a, b);
  if (!a.is_number() || !b.is_number()) return std::nullopt;
  const int c = compare_numbers(a, b);
  return c == 2 ? 0 : order == Order::Less ? c : -c;
}

template <class Same>
int total_order(Order order, const Value& a, const Value& b, Same equal_keys) {
  if (const auto c = compare_by(order, a, b)) return *c;
  if (a.tag != b.tag) return a.tag < b.tag ? -1 : 1;
  const std::uint32_t ha = hash(a), hb = hash(b);
  if (ha != hb) return ha < hb ? -1 : 1;
  return equal_keys(a, b) ? 0 : 1;
}

// The key's position, or where it would go in.
template <class Same = EqualKeys>
std::uint64_t position_of(const SortedMap* map, const Value& key, bool* found,
                          Same equal_keys = {}) {
  *found = false;
  const Order order = order_of(map->comparator);
  if (order == Order::Program) {
    for (std::uint64_t i = 0; i < map->count; ++i) {
      if (!equal_keys(node_at(map->root, i)->key, key)) continue;
      *found = true;
      return i;
    }
    return map->count;
  }
  std::uint64_t position = 0;
  const Object* node = map->root;
  while (node) {
    const SortedNode* n = as_node(node);
    const int c = total_order(order, key, n->key, equal_keys);
    if (c < 0) {
      node = n->left;
      continue;
    }
    position += size(n->left);
    if (c == 0) {
      *found = true;
      return position;
    }
    ++position;
    node = n->right;
  }
  return position;
}

template <class Same>
const Value* find(const SortedMap* map, const Value& key, Same equal_keys) {
  bool found;
  const std::uint64_t position = position_of(map, key, &found, equal_keys);
  return found ? &node_at(map->root, position)->value : nullptr;
}

Value new_map(Arena& arena, const SortedMap* like, Object* root) {
  auto* m = arena.make<SortedMap>(Tag::SortedMap);
  m->count = size(root);
  m->root = root;
  m->comparator = like->comparator;
  return Value::object(m);
}

Value same(const SortedMap* map) { return Value::object(const_cast<SortedMap*>(map)); }

void each(const Object* node, void* context, void (*f)(void*, const Value&, const Value&)) {
  for (; node; node = as_node(node)->right) {
    each(as_node(node)->left, context, f);
    f(context, as_node(node)->key, as_node(node)->value);
  }
}

// The map of a sorted map or set.
const SortedMap* tree_of(const Value& sorted) {
  return sorted.is(Tag::SortedSet) ? static_cast<const SortedMap*>(sorted.as<Set>()->map)
                                   : sorted.as<SortedMap>();
}

}  // namespace

Value empty_sorted_map(Arena& arena, const Value& comparator) {
  auto* m = arena.make<SortedMap>(Tag::SortedMap);
  m->count = 0;
  m->root = nullptr;
  m->comparator = comparator;
  return Value::object(m);
}

const Value* sorted_find(const SortedMap* map, const Value& key, EqualKeys equal_keys) {
  return find(map, key, equal_keys);
}
const Value* sorted_find(const SortedMap* map, const Value& key, KeysWithin equal_keys) {
  return find(map, key, equal_keys);
}

Value sorted_assoc(Arena& arena, const SortedMap* map, const Value& key, const Value& value) {
  bool found;
  const std::uint64_t position = position_of(map, key, &found);
  if (!found) return new_map(arena, map, insert_at(arena, map->root, position, key, value));
  const Value& old = node_at(map->root, position)->value;
  if (old.tag == value.tag && old.bits == value.bits) return same(map);
  return new_map(arena, map, replace_at(arena, map->root, position, value));
}

Value sorted_dissoc(Arena& arena, const SortedMap* map, const Value& key) {
  bool found;
  const std::uint64_t position = position_of(map, key, &found);
  return found ? new_map(arena, map, remove_at(arena, map->root, position)) : same(map);
}

void sorted_each(const SortedMap* map, void* context,
                 void (*f)(void*, const Value&, const Value&)) {
  each(map->root, context, f);
}

void sorted_at(const Value& sorted, std::uint64_t position, Value* key, Value* value) {
  const SortedMap* map = tree_of(sorted);
  CHANCEL_ASSERT(position < map->count, "position past the end of a sorted collection");
  const SortedNode* node = node_at(map->root, position);
  *key = node->key;
  *value = node->value;
}

}  // namespace chancel
