// SPDX-License-Identifier: Apache-2.0
// Building and changing collections of any kind: conj, into, vectors, and lookup by key or path.
#include <fmt/format.h>

#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/metadata.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

Value conj_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 0) return empty_vector(*cx.arena);
  Value result = a[0];
  for (std::uint32_t i = 1; i < n && cx.ok(); ++i) result = conj(cx, result, a[i]);
  return result;
}
Value into_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  if (!read_items(cx, "into", a, 1, &items)) return Value::nil();
  if (a[0].is(Tag::Vector) && a[0].as<Vector>()->count == 0) return vector_of(cx, items);
  Value result = a[0];
  for (std::size_t i = 0; i < items.size() && cx.ok(); ++i) result = conj(cx, result, items[i]);
  return result;
}
Value vector_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  return make_vector(*cx.arena, a, n);
}
Value vec_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Vector)) return a[0];
  std::vector<Value> items;
  return read_items(cx, "vec", a, 0, &items) ? vector_of(cx, items) : Value::nil();
}
Value subvec_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!a[0].is(Tag::Vector)) return cx.wrong_type("subvec", 0, "a vector", a[0]);
  const auto count = static_cast<std::int64_t>(a[0].as<Vector>()->count);
  std::int64_t start = 0;
  std::int64_t end = count;
  if (!read_integer(cx, "subvec", a, 1, &start) ||
      (n == 3 && !read_integer(cx, "subvec", a, 2, &end)))
    return Value::nil();
  if (end < 0 || end > count) {
    return cx.fail(Code::R004,
                   fmt::format("subvec: end {} is out of range for a vector of {}", end, count), 2);
  }
  if (start < 0 || start > end) {
    return cx.fail(Code::R004,
                   fmt::format("subvec: start {} is out of range for an end of {}", start, end), 1);
  }
  return subvec(*cx.arena, a[0], static_cast<std::uint32_t>(start),
                static_cast<std::uint32_t>(end));
}
Value peek_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Vector)) {
    const auto* v = a[0].as<Vector>();
    return v->count ? vector_nth(v, v->count - 1) : Value::nil();
  }
  if (a[0].is_nil() || is_seq(a[0])) return first(cx, a[0]);
  return cx.wrong_type("peek", 0, "a vector or a list", a[0]);
}
Value pop_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is_nil()) return a[0];
  if (a[0].is(Tag::Vector)) {
    if (a[0].as<Vector>()->count == 0)
      return cx.fail_as("java.lang.IllegalStateException", Code::R009, "pop: the vector is empty",
                        0);
    return vector_pop(*cx.arena, a[0]);
  }
  if (!is_seq(a[0])) return cx.wrong_type("pop", 0, "a vector or a list", a[0]);
  const Value s = seq(cx, a[0]);
  if (cx.ok() && s.is_nil())
    return cx.fail_as("java.lang.IllegalStateException", Code::R009, "pop: the list is empty", 0);
  return cx.ok() ? rest(cx, s) : s;
}
Value empty_of(NativeContext& cx, const Value* a, std::uint32_t) {
  switch (a[0].tag) {
    case Tag::Vector:
      return empty_vector(*cx.arena);
    case Tag::ArrayMap:
      return empty_map(*cx.arena);
    case Tag::HashMap:
      return empty_hash_map(*cx.arena);
    case Tag::Set:
      return empty_set(*cx.arena);
    case Tag::SortedMap:
      return empty_sorted_map(*cx.arena, a[0].as<SortedMap>()->comparator);
    case Tag::SortedSet:
      return empty_sorted_set(*cx.arena, static_cast<SortedMap*>(a[0].as<Set>()->map)->comparator);
    default:
      return is_seq(a[0]) ? Value::empty_list() : Value::nil();
  }
}

Value get_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value found;
  if (lookup(cx, a[0], a[1], &found)) return found;
  return n == 3 ? a[2] : Value::nil();
}
Value contains_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (a[0].is(Tag::Cons) || a[0].is(Tag::LazySeq) || a[0].is(Tag::EmptyList)) {
    return cx.fail(Code::R001, fmt::format("contains?: a list has no keys, got {}", describe(a[0])),
                   0, "use (some #{x} coll) to look for an element");
  }
  Value found;
  return Value::boolean(lookup(cx, a[0], a[1], &found));
}
Value get_in_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value at = a[0];
  for (SeqCursor it(cx, a[1], "get-in", 1); it.next();) {
    Value found;
    const bool there = lookup(cx, at, it.item(), &found);
    if (!cx.ok()) return Value::nil();
    if (!there) return n == 3 ? a[2] : Value::nil();
    at = found;
  }
  return cx.ok() ? at : Value::nil();
}
Value assoc_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n % 2 == 0)
    return cx.fail(Code::R002, fmt::format("assoc: the key {} has no value", show(a[n - 1])),
                   static_cast<int>(n) - 1);
  Value result = a[0];
  for (std::uint32_t i = 1; i < n && cx.ok(); i += 2)
    result = assoc(cx, "assoc", result, a[i], a[i + 1]);
  return result;
}
Value assoc_in_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> path;
  if (!read_items(cx, "assoc-in", a, 1, &path)) return Value::nil();
  if (path.empty()) path.push_back(Value::nil());
  std::vector<Value> levels{a[0]};
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    Value inside = Value::nil();
    if (!lookup(cx, levels.back(), path[i], &inside)) inside = Value::nil();
    if (!cx.ok()) return Value::nil();
    levels.push_back(inside);
  }
  Value result = a[2];
  for (std::size_t i = path.size(); i-- > 0 && cx.ok();)
    result = assoc(cx, "assoc-in", levels[i], path[i], result);
  return result;
}

// The textbook dialect: maps whose numeric keys are equal when their values are.
Value other_number_type(const Value& key) {
  if (key.is(Tag::Int)) return Value::real(static_cast<double>(key.i));
  if (key.is(Tag::Double) && key.d == static_cast<double>(static_cast<std::int64_t>(key.d))) {
    return Value::integer(static_cast<std::int64_t>(key.d));
  }
  return key;
}
Value get_numeric(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value found;
  if (lookup(cx, a[0], a[1], &found)) return found;
  if (a[1].is_number() && cx.ok() && lookup(cx, a[0], other_number_type(a[1]), &found))
    return found;
  if (!cx.ok()) return Value::nil();
  if (a[0].is(Tag::Cons) || a[0].is(Tag::LazySeq) || a[0].is(Tag::VectorSeq) ||
      a[0].is(Tag::Range)) {
    const Value absent = n == 3 ? a[2] : Value::nil();
    return nth(cx, a[0], a[1], &absent);
  }
  return n == 3 ? a[2] : Value::nil();
}
Value put_numeric(NativeContext& cx, const Value* a, std::uint32_t) {
  Value found;
  if (a[1].is_number() && is_map(a[0]) && !lookup(cx, a[0], a[1], &found)) {
    const Value other = other_number_type(a[1]);
    if (lookup(cx, a[0], other, &found)) return assoc(cx, "put", a[0], other, a[2]);
  }
  return assoc(cx, "put", a[0], a[1], a[2]);
}
Value hash_map_numeric(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n % 2 != 0)
    return cx.fail(Code::R002, fmt::format("hash-map: the key {} has no value", show(a[n - 1])),
                   static_cast<int>(n) - 1);
  Value map = empty_map(*cx.arena);
  for (std::uint32_t i = 0; i < n && cx.ok(); i += 2) {
    const Value args[3] = {map, a[i], a[i + 1]};
    map = put_numeric(cx, args, 3);
  }
  return map;
}

constexpr NativeDef kCollectionsNatives[] = {
    {"conj", 0, -1, keeping_meta<conj_native>, kPure, "[coll & items]",
     "The collection with the items added: at the end of a vector, in front of a list, as entries "
     "of a map or set."},
    {"%into", 2, 2, keeping_meta<into_native>, kPure, "[to from]",
     "The collection with all elements of the other added by conj."},
    {"vector", 0, -1, vector_native, kPure, "[& items]", "A vector of the items."},
    {"vec", 1, 1, vec_native, kPure, "[coll]", "The elements as a vector."},
    {"subvec", 2, 3, subvec_native, kPure, "[v start] [v start end]",
     "The part of a vector from start up to but excluding end."},
    {"peek", 1, 1, peek_native, kPure, "[coll]",
     "The last element of a vector, the first of a list."},
    {"pop", 1, 1, keeping_meta<pop_native>, kPure, "[coll]",
     "A vector without its last element, a list without its first."},
    {"empty", 1, 1, keeping_meta<empty_of>, kPure, "[coll]",
     "An empty collection of the same kind."},
    {"get", 2, 3, get_native, kPure, "[coll key] [coll key not-found]",
     "What is under the key, or nil (not-found)."},
    {"get-in", 2, 3, get_in_native, kPure, "[coll path] [coll path not-found]",
     "What is under the path of keys, or nil (not-found)."},
    {"contains?", 2, 2, contains_native, kPure, "[coll key]",
     "True when the map has the key, the set the element, the vector the index."},
    {"assoc", 3, -1, keeping_meta<assoc_native>, kPure, "[coll key value & more]",
     "The map or vector with the values under the keys."},
    {"assoc-in", 3, 3, keeping_meta<assoc_in_native>, kPure, "[coll path value]",
     "The nested map with the value under the path of keys."},
    {"%textbook-put", 3, 3, put_numeric, kPure, "[coll key value]",
     "The map or vector with the value under the key; 6 and 6.0 are one key."},
    {"%textbook-hash-map", 0, -1, hash_map_numeric, kPure, "[& keys-and-values]",
     "A map of the keys and values; 6 and 6.0 are one key."},
    {"put", 3, 3, put_numeric, kPure, "[coll key value]",
     "The map or vector with the value under the key; 6 and 6.0 are one key."},
    {"%textbook-get", 2, 3, get_numeric, kPure, "[coll key] [coll key not-found]",
     "What is under the key, where 6 and 6.0 are the same key (textbook dialect)."},
};

}  // namespace

std::span<const NativeDef> collection_natives() { return kCollectionsNatives; }

}  // namespace chancel
