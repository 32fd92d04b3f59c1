// SPDX-License-Identifier: Apache-2.0
// Equality, order and the logic of truth values. = compares by value with number types kept apart,
// == by numeric value.
#include <fmt/format.h>

#include <vector>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

Value all_equal(NativeContext& cx, const Value* a, std::uint32_t n) {
  for (std::uint32_t i = 1; i < n; ++i) {
    const bool same = equal(cx, a[i - 1], a[i]);
    if (!cx.ok()) return Value::nil();
    if (!same) return Value::boolean(false);
  }
  return Value::boolean(true);
}
Value not_all_equal(NativeContext& cx, const Value* a, std::uint32_t n) {
  const Value same = all_equal(cx, a, n);
  return cx.ok() ? Value::boolean(!same.truthy()) : same;
}
Value numbers_equal(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (!check_numbers(cx, "==", a, n)) return Value::nil();
  for (std::uint32_t i = 1; i < n; ++i) {
    if (!numeric_equal(a[i - 1], a[i])) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// `low` and `high`: the orders (-1, 0, 1) that are allowed between neighbours.
Value chain(NativeContext& cx, const char* function, const Value* a, std::uint32_t n, int low,
            int high) {
  if (!check_numbers(cx, function, a, n)) return Value::nil();
  for (std::uint32_t i = 1; i < n; ++i) {
    const int order = number_order(cx, function, a[i - 1], a[i]);
    if (order < low || order > high) return Value::boolean(false);
  }
  return Value::boolean(true);
}
Value less(NativeContext& cx, const Value* a, std::uint32_t n) {
  return chain(cx, "<", a, n, -1, -1);
}
Value less_or_equal(NativeContext& cx, const Value* a, std::uint32_t n) {
  return chain(cx, "<=", a, n, -1, 0);
}
Value greater(NativeContext& cx, const Value* a, std::uint32_t n) {
  return chain(cx, ">", a, n, 1, 1);
}
Value greater_or_equal(NativeContext& cx, const Value* a, std::uint32_t n) {
  return chain(cx, ">=", a, n, 0, 1);
}

Value three_way(NativeContext& cx, const Value* given, std::uint32_t) {
  Value a[2] = {given[0], given[1]};
  if (!ensure_realised(cx, a[0]) || !ensure_realised(cx, a[1])) return Value::nil();
  const auto order = compare(a[0], a[1]);
  if (!order) {
    return cx.fail(
        Code::R001,
        fmt::format("compare: cannot compare {} with {}", describe(a[0]), describe(a[1])), 1);
  }
  return Value::integer(*order);
}
Value identical(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(a[0].tag == a[1].tag && (a[0].is_nil() || a[0].bits == a[1].bits));
}
Value logical_not(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(!a[0].truthy());
}
Value hash_value(NativeContext& cx, const Value* a, std::uint32_t) {
  Value v = a[0];
  if (!ensure_realised(cx, v)) return Value::nil();
  return Value::integer(static_cast<std::int32_t>(hash(v)));
}
Value all_distinct(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::vector<Value> items(a, a + n);
  for (Value& item : items)
    if (!ensure_realised(cx, item)) return Value::nil();
  Value seen = empty_set(*cx.arena);
  for (const Value& item : items) {
    if (set_contains(seen, item)) return Value::boolean(false);
    seen = set_conj(*cx.arena, seen, item);
  }
  return Value::boolean(true);
}

constexpr NativeDef kComparisonNatives[] = {
    {"=", 1, -1, all_equal, kPure, "[x & more]",
     "True when all values are equal; 1 and 1.0 are not."},
    {"not=", 1, -1, not_all_equal, kPure, "[x & more]", "True when not all values are equal."},
    {"==", 1, -1, numbers_equal, kPure, "[x & numbers]",
     "True when all numbers have the same value, whatever their types."},
    {"<", 1, -1, less, kPure, "[x & numbers]", "True when the numbers increase."},
    {"<=", 1, -1, less_or_equal, kPure, "[x & numbers]", "True when the numbers never decrease."},
    {">", 1, -1, greater, kPure, "[x & numbers]", "True when the numbers decrease."},
    {">=", 1, -1, greater_or_equal, kPure, "[x & numbers]",
     "True when the numbers never increase."},
    {"compare", 2, 2, three_way, kPure, "[x y]",
     "Negative, zero or positive as x comes before, with or after y; nil is first."},
    {"identical?", 2, 2, identical, kPure, "[x y]", "True when x and y are the same object."},
    {"not", 1, 1, logical_not, kPure, "[x]", "True when x is false or nil."},
    {"hash", 1, 1, hash_value, kPure, "[x]", "The hash code of x, as Clojure computes it."},
    {"distinct?", 1, -1, all_distinct, kPure, "[x & more]", "True when no two values are equal."},
};

}  // namespace

std::span<const NativeDef> comparison_natives() { return kComparisonNatives; }

}  // namespace chancel
