// SPDX-License-Identifier: Apache-2.0
// Stable sorting by comparators that need no program code: compare, < > <= >=. The prelude sorts by
// other functions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"
#include "value/symbolic_hook.hpp"

namespace chancel {
namespace {

enum class Order { Up, Down, None };
Order native_order(const Value& comparator) {
  if (comparator.is_nil()) return Order::Up;
  if (!comparator.is(Tag::Native) || !comparator.native) return Order::None;
  const std::string_view name = comparator.native->name;
  if (name == "compare" || name == "<" || name == "<=") return Order::Up;
  return name == ">" || name == ">=" ? Order::Down : Order::None;
}
bool wants_numbers(const Value& comparator) {
  return comparator.is(Tag::Native) && std::string_view(comparator.native->name) != "compare";
}

// Positions of keys that depend on draws, while a program is recorded: every comparison is guarded.
// What has no order fails here, and is sorted as numbers then.
bool sorted_nodes(NativeContext& cx, const char* function, bool down,
                  const std::vector<Value>& keys, std::vector<std::size_t>* positions) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t low = 0, high = i;  // its position: after all keys that do not come after it
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const int order = cx.symbolic->order(cx, function, keys[i], keys[(*positions)[middle]]);
      if (cx.ok() && order == 2) cx.fail(Code::R001, "NaN has no place among numbers", 1);
      if (!cx.ok()) return false;
      if (order == (down ? 1 : -1))
        high = middle;
      else
        low = middle + 1;
    }
    positions->insert(positions->begin() + static_cast<std::ptrdiff_t>(low), i);
  }
  return true;
}

// Positions of the keys in sorted order.
bool sorted_positions(NativeContext& cx, const char* function, const Value& comparator,
                      std::vector<Value>& keys, std::vector<std::size_t>* positions) {
  const Order order = native_order(comparator);
  if (order == Order::None) {
    cx.wrong_type(function, 0, "a native comparator", comparator);
    return false;
  }
  if (std::any_of(keys.begin(), keys.end(), [](const Value& k) { return k.is(Tag::Node); }))
    return sorted_nodes(cx, function, order == Order::Down, keys, positions);
  const bool numbers_only = wants_numbers(comparator);
  bool all_numbers = true;
  bool has_nan = false;
  for (Value& k : keys) {
    if (!ensure_realised(cx, k)) return false;
    all_numbers = all_numbers && k.is_number();
    has_nan = has_nan || (k.is(Tag::Double) && std::isnan(k.d));
    if (numbers_only && !k.is_number()) {
      cx.fail(Code::R001,
              fmt::format("{}: {} orders numbers, got {}", function, comparator.native->name,
                          describe(k)),
              1);
      return false;
    }
  }
  // Check first that everything can be compared: std::stable_sort needs a strict weak order
  // throughout.
  if (!all_numbers) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
      if (!compare(keys[i - 1], keys[i])) {
        cx.fail(Code::R001,
                fmt::format("{}: cannot compare {} with {}", function, describe(keys[i - 1]),
                            describe(keys[i])),
                0);
        return false;
      }
    }
  }
  positions->resize(keys.size());
  std::iota(positions->begin(), positions->end(), std::size_t{0});
  const bool down = order == Order::Down;
  const bool all_doubles =
      std::all_of(keys.begin(), keys.end(), [](const Value& k) { return k.is(Tag::Double); });
  const bool all_integers =
      std::all_of(keys.begin(), keys.end(), [](const Value& k) { return k.is(Tag::Int); });
  if (all_integers || (all_doubles && !has_nan)) {
    std::stable_sort(positions->begin(), positions->end(), [&](std::size_t i, std::size_t j) {
      const Value& x = keys[down ? j : i];
      const Value& y = keys[down ? i : j];
      return all_integers ? x.i < y.i : x.d < y.d;
    });
    return true;
  }
  // NaN has no place among numbers; it goes to the end, so that the order stays a strict one.
  const auto before = [&](const Value& a, const Value& b) {
    if (has_nan) {
      const bool a_nan = a.is(Tag::Double) && std::isnan(a.d);
      const bool b_nan = b.is(Tag::Double) && std::isnan(b.d);
      if (a_nan || b_nan) return !a_nan && b_nan;
    }
    const auto c = down ? compare(b, a) : compare(a, b);
    return c && *c < 0;
  };
  std::stable_sort(positions->begin(), positions->end(),
                   [&](std::size_t i, std::size_t j) { return before(keys[i], keys[j]); });
  return true;
}

// (comparator-or-nil keys items)
Value sort_by_keys(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> keys;
  std::vector<Value> items;
  std::vector<std::size_t> positions;
  if (!read_items(cx, "sort-by", a, 1, &keys) || !read_items(cx, "sort-by", a, 2, &items))
    return Value::nil();
  if (!sorted_positions(cx, "sort-by", a[0], keys, &positions)) return Value::nil();
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (std::size_t p : positions) sorted.push_back(items[p]);
  return list_of(cx, sorted);
}
// (comparator-or-nil coll)
Value sort_native(NativeContext& cx, const Value* a, std::uint32_t) {
  std::vector<Value> items;
  std::vector<std::size_t> positions;
  if (!read_items(cx, "sort", a, 1, &items)) return Value::nil();
  if (!sorted_positions(cx, "sort", a[0], items, &positions)) return Value::nil();
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (std::size_t p : positions) sorted.push_back(items[p]);
  return list_of(cx, sorted);
}
Value is_native_comparator(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(native_order(a[0]) != Order::None);
}

constexpr NativeDef kSortingNatives[] = {
    {"%sort", 2, 2, sort_native, kPure, "[comparator coll]",
     "The elements in the order of a native comparator (nil = compare)."},
    {"%sort-by-keys", 3, 3, sort_by_keys, kPure, "[comparator keys coll]",
     "The elements in the order of their keys."},
    {"%native-comparator?", 1, 1, is_native_comparator, kPure, "[f]",
     "True for nil, compare, <, <=, > and >=."},
};

}  // namespace

std::span<const NativeDef> sorting_natives() { return kSortingNatives; }

}  // namespace chancel
