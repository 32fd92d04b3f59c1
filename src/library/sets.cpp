// SPDX-License-Identifier: Apache-2.0
// Sets: constructors and the algebra of clojure.set.
#include "library/arguments.hpp"
#include "library/collection_parts.hpp"
#include "library/metadata.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

Value with_items(NativeContext& cx, Value set, const Value* items, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Value item = items[i];
    if (!ensure_realised(cx, item)) return Value::nil();
    set = set_conj(*cx.arena, set, item);
  }
  return set;
}
Value set_native(NativeContext& cx, const Value* a, std::uint32_t) {
  if (is_set(a[0])) return a[0];
  std::vector<Value> items;
  if (!read_items(cx, "set", a, 0, &items)) return Value::nil();
  return with_items(cx, empty_set(*cx.arena), items.data(), items.size());
}
Value hash_set(NativeContext& cx, const Value* a, std::uint32_t n) {
  return with_items(cx, empty_set(*cx.arena), a, n);
}
Value sorted_set(NativeContext& cx, const Value* a, std::uint32_t n) {
  return with_items(cx, empty_sorted_set(*cx.arena, Value::nil()), a, n);
}
Value sorted_set_by(NativeContext& cx, const Value* a, std::uint32_t n) {
  return with_items(cx, empty_sorted_set(*cx.arena, a[0]), a + 1, n - 1);
}

bool check_set(NativeContext& cx, const char* function, const Value* a, int index) {
  if (a[index].is_nil() || is_set(a[index])) return true;
  cx.wrong_type(function, index, "a set", a[index]);
  return false;
}
template <class F>
void each_item(const Value& set, F&& f) {
  if (!set.is_nil()) map_each(set, [&](const Value& item, const Value&) { f(item); });
}

Value disj(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_set(cx, "disj", a, 0)) return Value::nil();
  Value set = a[0];
  for (std::uint32_t i = 1; i < n && !set.is_nil(); ++i) {
    Value item = a[i];
    if (!ensure_realised(cx, item)) return Value::nil();
    set = set_disj(*cx.arena, set, item);
  }
  return set;
}
Value set_union(NativeContext& cx, const Value* a, std::uint32_t n) {
  Value result = empty_set(*cx.arena);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!check_set(cx, "union", a, static_cast<int>(i))) return Value::nil();
    if (i == 0 && !a[0].is_nil()) {
      result = a[0];
    } else {
      each_item(a[i], [&](const Value& item) { result = set_conj(*cx.arena, result, item); });
    }
  }
  return result;
}
Value keep_items(NativeContext& cx, const char* function, bool keep_common, const Value* a,
                 std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!check_set(cx, function, a, static_cast<int>(i))) return Value::nil();
  }
  Value result = a[0];
  each_item(a[0], [&](const Value& item) {
    for (std::uint32_t i = 1; i < n; ++i) {
      if ((!a[i].is_nil() && set_contains(a[i], item)) != keep_common) {
        result = set_disj(*cx.arena, result, item);
        return;
      }
    }
  });
  return result;
}
Value intersection(NativeContext& cx, const Value* a, std::uint32_t n) {
  return keep_items(cx, "intersection", true, a, n);
}
Value difference(NativeContext& cx, const Value* a, std::uint32_t n) {
  return keep_items(cx, "difference", false, a, n);
}
Value includes(NativeContext& cx, const char* function, const Value& small, const Value& large) {
  const Value both[2] = {small, large};
  if (!check_set(cx, function, both, 0) || !check_set(cx, function, both, 1)) return Value::nil();
  bool all = true;
  each_item(small,
            [&](const Value& item) { all = all && !large.is_nil() && set_contains(large, item); });
  return Value::boolean(all);
}
Value is_subset(NativeContext& cx, const Value* a, std::uint32_t) {
  return includes(cx, "subset?", a[0], a[1]);
}
Value is_superset(NativeContext& cx, const Value* a, std::uint32_t) {
  return includes(cx, "superset?", a[1], a[0]);
}

constexpr NativeDef kSetsNatives[] = {
    {"set", 1, 1, set_native, kPure, "[coll]", "The set of the elements."},
    {"hash-set", 0, -1, hash_set, kPure, "[& items]", "A set of the items."},
    {"sorted-set", 0, -1, sorted_set, kPure, "[& items]", "A set whose items are in order."},
    {"%sorted-set-by", 1, -1, sorted_set_by, kPure, "[comparator & items]",
     "A set in the order of a native comparator."},
    {"disj", 1, -1, keeping_meta<disj>, kPure, "[set & items]", "The set without the items."},
    {"union", 0, -1, set_union, kPure, "[& sets]", "The items that are in some set."},
    {"intersection", 1, -1, intersection, kPure, "[set & sets]", "The items that are in all sets."},
    {"difference", 1, -1, difference, kPure, "[set & sets]",
     "The items of the first set that are in none of the others."},
    {"subset?", 2, 2, is_subset, kPure, "[a b]", "True when every item of a is in b."},
    {"superset?", 2, 2, is_superset, kPure, "[a b]", "True when every item of b is in a."},
};

}  // namespace

std::span<const NativeDef> set_natives() { return kSetsNatives; }

}  // namespace chancel
