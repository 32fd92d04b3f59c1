// SPDX-License-Identifier: Apache-2.0
// Persistent vectors: a trie of full leaves, and the last values inside the Vector object itself. A
// conj is one allocation and one copy of the tail (four values on average) except every eighth
// time, when the full tail becomes a leaf. Leaves and nodes are never changed, so vectors share all
// but the path that differs.
//
// Leaves are packed as tightly as their elements allow, and so are tails that grow by conj
// (packing.hpp). A vector that is made at once keeps its tail as values: most of those are pairs and the
// like that are soon taken apart.
#include <algorithm>
#include <cstring>
#include <vector>

#include "value/collections.hpp"

namespace chancel {

namespace {

constexpr std::size_t kVectorHead = sizeof(Vector) - sizeof(Value);
constexpr std::uint32_t kBits = kVectorBits;
constexpr std::uint32_t kWidth = kVectorWidth;

// Room for a tail of `tail` elements.
Vector* new_vector(Arena& arena, std::uint32_t count, std::uint32_t shift, Object* root,
                   Packing packing, std::uint32_t tail) {
  auto* v =
      static_cast<Vector*>(arena.allocate(Tag::Vector, kVectorHead + packed_size(packing, tail)));
  v->aux = static_cast<std::uint16_t>(packing);
  v->count = count;
  v->shift = shift;
  v->root = root;
  return v;
}

VectorLeaf* new_leaf(Arena& arena, Packing packing) {
  auto* leaf = static_cast<VectorLeaf*>(
      arena.allocate(Tag::VectorLeaf, sizeof(Object) + packed_size(packing, kWidth)));
  leaf->aux = static_cast<std::uint16_t>(packing);
  return leaf;
}

void copy_values(Value* to, const Value* from, std::size_t count) {
  if (count) std::memcpy(static_cast<void*>(to), from, count * sizeof(Value));
}

// The first elements of another leaf or tail, in a packing that holds them.
void copy_elements(Packing packing, void* to, VectorPart from, std::uint32_t count) {
  if (packing == from.packing) {
    std::memcpy(to, from.elements, packed_size(packing, count));
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i)
    pack(packing, to, i, unpacked(from.packing, from.elements, i));
}

VectorPart part_of(const Vector* v) { return {packing_of(v), v->tail}; }
VectorPart part_of(const VectorLeaf* leaf) { return {packing_of(leaf), leaf->elements}; }

Packing tightest(const Value* values, std::uint32_t count) {
  Packing p = packing_for(values[0]);
  for (std::uint32_t i = 1; i < count && p != Packing::Values; ++i)
    p = packing_for_both(p, packing_for(values[i]));
  return p;
}

// Of a full tail, or of values.
VectorLeaf* leaf_with(Arena& arena, VectorPart elements) {
  const Packing packing = elements.packing == Packing::Values
                              ? tightest(static_cast<const Value*>(elements.elements), kWidth)
                              : elements.packing;
  VectorLeaf* leaf = new_leaf(arena, packing);
  copy_elements(packing, leaf->elements, elements, kWidth);
  return leaf;
}
VectorLeaf* leaf_with(Arena& arena, const Value* values) {
  return leaf_with(arena, {Packing::Values, values});
}

std::uint32_t child_count(const Object* node) { return node->words - 1; }

// A node of `count` children, the first min(count, children of `from`) of them copied.
VectorNode* new_node(Arena& arena, std::uint32_t count, const Object* from) {
  auto* node =
      static_cast<VectorNode*>(arena.allocate(Tag::VectorNode, 8 + std::size_t{8} * count));
  if (from) {
    const std::uint32_t shared = std::min(count, child_count(from));
    std::memcpy(node->children, static_cast<const VectorNode*>(from)->children,
                shared * sizeof(Object*));
  }
  return node;
}

// A chain of nodes that has `leaf` `level` bits below.
Object* new_path(Arena& arena, std::uint32_t level, Object* leaf) {
  for (; level > 0; level -= kBits) {
    auto* node = new_node(arena, 1, nullptr);
    node->children[0] = leaf;
    leaf = node;
  }
  return leaf;
}

Object* push_leaf_below(Arena& arena, const Object* node, std::uint32_t level, std::uint32_t offset,
                        Object* leaf) {
  const std::uint32_t slot = (offset >> level) & (kWidth - 1);
  const std::uint32_t count = child_count(node);
  Object* child;
  if (slot < count)
    child = push_leaf_below(arena, static_cast<const VectorNode*>(node)->children[slot],
                            level - kBits, offset, leaf);
  else
    child = new_path(arena, level - kBits, leaf);
  auto* copy = new_node(arena, std::max(count, slot + 1), node);
  copy->children[slot] = child;
  return copy;
}

// Appends the leaf for elements [offset, offset + kWidth).
void push_leaf(Arena& arena, Object*& root, std::uint32_t& shift, std::uint32_t offset,
               Object* leaf) {
  if (!root) {
    shift = kBits;
    root = new_path(arena, kBits, leaf);
  } else if ((offset >> kBits) == (std::uint32_t{1} << shift)) {
    auto* up = new_node(arena, 2, nullptr);
    up->children[0] = root;
    up->children[1] = new_path(arena, shift, leaf);
    root = up;
    shift += kBits;
  } else {
    root = push_leaf_below(arena, root, shift, offset, leaf);
  }
}

// Without the last leaf, which holds element `last`. Null when nothing is left.
Object* drop_last_leaf(Arena& arena, const Object* node, std::uint32_t level, std::uint32_t last) {
  const std::uint32_t slot = (last >> level) & (kWidth - 1);
  Object* child = nullptr;
  if (level > kBits)
    child = drop_last_leaf(arena, static_cast<const VectorNode*>(node)->children[slot],
                           level - kBits, last);
  if (!child && slot == 0) return nullptr;
  auto* copy = new_node(arena, child ? slot + 1 : slot, node);
  if (child) copy->children[slot] = child;
  return copy;
}

Object* replace_below(Arena& arena, const Object* node, std::uint32_t level, std::uint32_t index,
                      const Value& item) {
  if (level == 0) {
    const VectorPart old = part_of(static_cast<const VectorLeaf*>(node));
    const Packing packing = packing_for_both(old.packing, packing_for(item));
    VectorLeaf* leaf = new_leaf(arena, packing);
    copy_elements(packing, leaf->elements, old, kWidth);
    pack(packing, leaf->elements, index & (kWidth - 1), item);
    return leaf;
  }
  const std::uint32_t slot = (index >> level) & (kWidth - 1);
  Object* child = replace_below(arena, static_cast<const VectorNode*>(node)->children[slot],
                                level - kBits, index, item);
  auto* copy = new_node(arena, child_count(node), node);
  copy->children[slot] = child;
  return copy;
}

const VectorLeaf* leaf_of(const Vector* v, std::uint32_t index) {
  const Object* node = v->root;
  for (std::uint32_t level = v->shift; level > 0; level -= kBits)
    node = static_cast<const VectorNode*>(node)->children[(index >> level) & (kWidth - 1)];
  return static_cast<const VectorLeaf*>(node);
}

// A vector over ready leaves (used up) and a tail.
Value from_leaves(Arena& arena, std::vector<Object*>& level, const Value* tail,
                  std::uint32_t tail_count) {
  const auto count = static_cast<std::uint32_t>(level.size()) * kWidth + tail_count;
  std::uint32_t shift = kBits;
  Object* root = nullptr;
  while (!level.empty()) {
    std::vector<Object*> above;
    above.reserve(level.size() / kWidth + 1);
    for (std::size_t at = 0; at < level.size(); at += kWidth) {
      const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(kWidth, level.size() - at));
      auto* node = new_node(arena, n, nullptr);
      std::memcpy(node->children, level.data() + at, n * sizeof(Object*));
      above.push_back(node);
    }
    if (above.size() == 1) {
      root = above[0];
      break;
    }
    level.swap(above);
    shift += kBits;
  }
  auto* v = new_vector(arena, count, shift, root, Packing::Values, tail_count);
  copy_values(v->tail, tail, tail_count);
  return Value::object(v);
}

// A vector of which `item` is the whole tail.
Value with_new_tail(Arena& arena, std::uint32_t count, std::uint32_t shift, Object* root,
                    const Value& item) {
  const Packing packing = packing_for(item);
  auto* v = new_vector(arena, count, shift, root, packing, 1);
  if (packing == Packing::Bytes) *reinterpret_cast<std::uint64_t*>(v->tail) = 0;
  pack(packing, v->tail, 0, item);
  return Value::object(v);
}

Value conj_full_tail(Arena& arena, const Vector* v, const Value& item) {
  CHANCEL_ASSERT(v->count != 0xffffffffu, "a vector outgrew 32 bits");
  Object* root = v->root;
  std::uint32_t shift = v->shift;
  push_leaf(arena, root, shift, v->tail_offset(), leaf_with(arena, part_of(v)));
  return with_new_tail(arena, v->count + 1, shift, root, item);
}

}  // namespace

Value empty_vector(Arena& arena) {
  return Value::object(new_vector(arena, 0, kBits, nullptr, Packing::Values, 0));
}

Value make_vector(Arena& arena, const Value* items, std::size_t count) {
  if (count <= kWidth) {
    auto* v = new_vector(arena, static_cast<std::uint32_t>(count), kBits, nullptr, Packing::Values,
                         static_cast<std::uint32_t>(count));
    copy_values(v->tail, items, count);
    return Value::object(v);
  }
  CHANCEL_ASSERT(count < 0xffffffffu, "a vector outgrew 32 bits");
  const std::size_t offset = (count - 1) / kWidth * kWidth;
  std::vector<Object*> leaves;
  leaves.reserve(offset / kWidth);
  for (std::size_t at = 0; at < offset; at += kWidth)
    leaves.push_back(leaf_with(arena, items + at));
  return from_leaves(arena, leaves, items + offset, static_cast<std::uint32_t>(count - offset));
}

Value vector_nth_deep(const Vector* v, std::uint32_t index) {
  const VectorPart leaf = part_of(leaf_of(v, index));
  return unpacked(leaf.packing, leaf.elements, index & (kWidth - 1));
}

VectorPart vector_part(const Vector* v, std::uint32_t index) {
  return index >= v->tail_offset() ? part_of(v) : part_of(leaf_of(v, index));
}

Value vector_conj(Arena& arena, const Value& vector, const Value& item) {
  const auto* v = vector.as<Vector>();
  const std::uint32_t tail = v->count - v->tail_offset();
  if (CHANCEL_UNLIKELY(tail == kWidth)) return conj_full_tail(arena, v, item);
  if (tail == 0) return with_new_tail(arena, 1, v->shift, v->root, item);
  const Packing packing = packing_for_both(packing_of(v), packing_for(item));
  auto* grown = new_vector(arena, v->count + 1, v->shift, v->root, packing, tail + 1);
  copy_elements(packing, grown->tail, part_of(v), tail);
  pack(packing, grown->tail, tail, item);
  return Value::object(grown);
}

Value vector_pop(Arena& arena, const Value& vector) {
  const auto* v = vector.as<Vector>();
  const std::uint32_t count = v->count - 1;
  const std::uint32_t offset = v->tail_offset();
  if (v->count - offset > 1 || offset == 0) {
    auto* shorter = new_vector(arena, count, v->shift, v->root, packing_of(v), count - offset);
    copy_elements(packing_of(v), shorter->tail, part_of(v), count - offset);
    return Value::object(shorter);
  }
  const VectorPart tail = part_of(leaf_of(v, count - 1));
  Object* root = drop_last_leaf(arena, v->root, v->shift, count - 1);
  std::uint32_t shift = v->shift;
  while (root && shift > kBits && child_count(root) == 1) {
    root = static_cast<VectorNode*>(root)->children[0];
    shift -= kBits;
  }
  if (!root) shift = kBits;
  auto* shorter = new_vector(arena, count, shift, root, tail.packing, kWidth);
  copy_elements(tail.packing, shorter->tail, tail, kWidth);
  return Value::object(shorter);
}

Value vector_assoc(Arena& arena, const Value& vector, std::uint32_t index, const Value& item) {
  const auto* v = vector.as<Vector>();
  CHANCEL_DEBUG_ASSERT(index <= v->count, "vector_assoc past the end");
  if (index == v->count) return vector_conj(arena, vector, item);
  const std::uint32_t offset = v->tail_offset();
  const std::uint32_t tail = v->count - offset;
  Object* root = v->root;
  if (index < offset) root = replace_below(arena, root, v->shift, index, item);
  const Packing packing =
      index >= offset ? packing_for_both(packing_of(v), packing_for(item)) : packing_of(v);
  auto* changed = new_vector(arena, v->count, v->shift, root, packing, tail);
  copy_elements(packing, changed->tail, part_of(v), tail);
  if (index >= offset) pack(packing, changed->tail, index - offset, item);
  return Value::object(changed);
}

Value subvec(Arena& arena, const Value& vector, std::uint32_t start, std::uint32_t end) {
  const auto* v = vector.as<Vector>();
  CHANCEL_DEBUG_ASSERT(start <= end && end <= v->count, "subvec outside the vector");
  if (start == 0 && end == v->count) return vector;
  const std::uint32_t count = end - start;
  const std::uint32_t offset = count < kWidth ? 0 : (count - 1) / kWidth * kWidth;
  std::vector<Object*> leaves;
  Value buffer[kWidth];
  for (std::uint32_t at = 0; at < offset; at += kWidth) {
    if (start % kWidth == 0 && start + at < v->tail_offset()) {
      leaves.push_back(const_cast<VectorLeaf*>(leaf_of(v, start + at)));
      continue;
    }
    for (std::uint32_t i = 0; i < kWidth; ++i) buffer[i] = vector_nth(v, start + at + i);
    leaves.push_back(leaf_with(arena, buffer));
  }
  for (std::uint32_t i = 0; i < count - offset; ++i) buffer[i] = vector_nth(v, start + offset + i);
  return from_leaves(arena, leaves, buffer, count - offset);
}

}  // namespace chancel
