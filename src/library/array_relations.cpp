// SPDX-License-Identifier: Apache-2.0
// Questions about arrays and comparisons of them, as core.matrix has them: what kind of array it
// is, whether two are equal, element by element comparison (1 and 0), sums and extremes of all
// elements, joining along a dimension.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "library/arguments.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

// --- kinds ---
// Whether v is an array with `least` to `most` dimensions; it is not an error if v is not an array.
bool has_dimensions(NativeContext& cx, const Value& v, std::size_t least, std::size_t most,
                    NumberArray* array) {
  if (!v.is_number() && !is_node(v) && !is_sequential(v)) return false;
  if (read_array(cx, "array?", &v, 0, array))
    return array->dimensions() >= least && array->dimensions() <= most;
  // Ragged, or not of numbers; what is lazy has to be worked out first.
  if (cx.status == NativeContext::Status::Failed) cx.status = NativeContext::Status::Ok;
  return false;
}
template <std::size_t least, std::size_t most>
Value is_array(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  const bool yes = has_dimensions(cx, a[0], least, most, &array);
  return cx.ok() ? Value::boolean(yes) : Value::nil();
}
Value is_scalar(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(a[0].is_number() || is_node(a[0]));
}
Value is_symmetric(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray m;
  if (!has_dimensions(cx, a[0], 2, 2, &m)) return cx.ok() ? Value::boolean(false) : Value::nil();
  bool yes = m.shape[0] == m.shape[1];
  for (std::size_t i = 0; yes && i < m.shape[0]; ++i)
    for (std::size_t j = 0; yes && j < i; ++j)
      yes = number_order(cx, "symmetric?", m.items[i * m.shape[1] + j],
                         m.items[j * m.shape[1] + i]) == 0;
  return Value::boolean(yes);
}
Value same_shape(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray first;
  if (!read_array(cx, "same-shape?", a, 0, &first)) return Value::nil();
  for (std::uint32_t i = 1; i < n; ++i) {
    NumberArray other;
    if (!read_array(cx, "same-shape?", a, static_cast<int>(i), &other)) return Value::nil();
    if (other.shape != first.shape) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// --- comparison ---
// (equals a b), (equals a b tolerance): of the same shape, and numerically equal.
Value equal_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray x, y;
  double tolerance = 0;
  if (!read_array(cx, "equals", a, 0, &x) || !read_array(cx, "equals", a, 1, &y))
    return Value::nil();
  if (n == 3 && !read_number(cx, "equals", a, 2, &tolerance)) return Value::nil();
  if (x.shape != y.shape) return Value::boolean(false);
  for (std::size_t i = 0; i < x.items.size(); ++i) {
    const bool same = n == 3 ? std::fabs(to_double(x.items[i]) - to_double(y.items[i])) <= tolerance
                             : number_order(cx, "equals", x.items[i], y.items[i]) == 0;
    if (!same) return Value::boolean(false);
  }
  return Value::boolean(true);
}
// `low` and `high`: the orders (-1, 0, 1) that count as true; the answer is 1 or 0.
template <int low, int high>
Value ordered(NativeContext& cx, const Value& x, const Value& y) {
  const int order = number_order(cx, "comparison", x, y);
  return Value::integer(order >= low && order <= high ? 1 : 0);
}
Value different(NativeContext& cx, const Value& x, const Value& y) {
  return Value::integer(number_order(cx, "comparison", x, y) == 0 ? 0 : 1);
}
Value larger(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "max", {x, y});
  const Value both[2] = {x, y};
  return find_native("max")->function(cx, both, 2);
}
Value smaller(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "min", {x, y});
  const Value both[2] = {x, y};
  return find_native("min")->function(cx, both, 2);
}
template <Text name, BinaryNumber op>
Value by_element(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray result;
  if (!read_array(cx, name.text, a, 0, &result)) return Value::nil();
  for (std::uint32_t i = 1; i < n; ++i) {
    NumberArray other;
    if (!read_array(cx, name.text, a, static_cast<int>(i), &other)) return Value::nil();
    if (!combine(cx, name.text, op, result, other, &result)) return Value::nil();
  }
  return array_value(cx, std::move(result));
}

// --- all elements ---
Value over_elements(NativeContext& cx, const char* function, BinaryNumber op, const Value* a,
                    const Value* start) {
  NumberArray array;
  if (!read_array(cx, function, a, 0, &array)) return Value::nil();
  if (array.items.empty()) {
    if (start) return *start;
    return cx.fail(Code::R009, fmt::format("{}: the array is empty", function), 0);
  }
  Value total = array.items[0];
  for (std::size_t i = 1; i < array.items.size() && cx.ok(); ++i)
    total = op(cx, total, array.items[i]);
  return total;
}
Value element_sum(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value zero = Value::integer(0);
  return over_elements(cx, "esum", add, a, &zero);
}
Value largest_element(NativeContext& cx, const Value* a, std::uint32_t) {
  return over_elements(cx, "emax", larger, a, nullptr);
}
Value smallest_element(NativeContext& cx, const Value* a, std::uint32_t) {
  return over_elements(cx, "emin", smaller, a, nullptr);
}
// (max a), (max a b ...): the largest element of one array, the larger ones of several
Value larger_elements(NativeContext& cx, const Value* a, std::uint32_t n) {
  return n == 1 ? largest_element(cx, a, n) : by_element<"max", larger>(cx, a, n);
}
Value smaller_elements(NativeContext& cx, const Value* a, std::uint32_t n) {
  return n == 1 ? smallest_element(cx, a, n) : by_element<"min", smaller>(cx, a, n);
}
// Anglican's l2-norm: the sum of the squared differences of two arrays.
Value squared_difference(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray x, y, difference;
  if (!read_array(cx, "l2-norm", a, 0, &x) || !read_array(cx, "l2-norm", a, 1, &y) ||
      !combine(cx, "l2-norm", subtract, x, y, &difference))
    return Value::nil();
  Value total = Value::integer(0);
  for (std::size_t i = 0; i < difference.items.size() && cx.ok(); ++i) {
    const Value square = multiply(cx, difference.items[i], difference.items[i]);
    if (cx.ok()) total = add(cx, total, square);
  }
  return total;
}

// --- joining ---
Value join_along(NativeContext& cx, const char* function, std::size_t dimension, const Value* a,
                 std::uint32_t n, int first) {
  std::vector<NumberArray> parts(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const int argument = first + static_cast<int>(i);
    if (!read_array(cx, function, a, static_cast<int>(i), &parts[i])) return Value::nil();
    std::vector<std::size_t> shape = parts[i].shape, other = parts[0].shape;
    if (shape.size() > dimension && shape.size() == other.size()) {
      shape[dimension] = other[dimension] = 0;
      if (shape == other) continue;
    }
    return cx.fail(Code::R009,
                   fmt::format("{}: arrays of the shapes [{}] and [{}] cannot be joined", function,
                               fmt::join(parts[0].shape, " "), fmt::join(parts[i].shape, " ")),
                   argument);
  }
  NumberArray out;
  out.shape = parts[0].shape;
  out.shape[dimension] = 0;
  for (const NumberArray& part : parts) out.shape[dimension] += part.shape[dimension];
  room_for_shape(cx, out.shape);
  const std::size_t before = slicing(parts[0], dimension).before;
  for (std::size_t b = 0; b < before; ++b)
    for (const NumberArray& part : parts) {
      const Slicing s = slicing(part, dimension);
      const std::size_t run = s.length * s.behind;
      for (std::size_t k = 0; k < run; ++k) out.items.push_back(part.items[b * run + k]);
    }
  return array_value(cx, std::move(out));
}
Value join_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return join_along(cx, "join", 0, a, n, 0);
}
Value join_arrays_along(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::int64_t dimension = 0;
  if (!read_size(cx, "join-along", a, 0, &dimension)) return Value::nil();
  return join_along(cx, "join-along", static_cast<std::size_t>(dimension), a + 1, n - 1, 1);
}

constexpr NativeDef kArrayRelationsNatives[] = {
    {"array?", 1, 1, is_array<0, 16>, kPure, "[x]",
     "True when x is a number or nested sequences of numbers of equal lengths."},
    {"matrix?", 1, 1, is_array<2, 2>, kPure, "[x]", "True when x is an array of two dimensions."},
    {"vec?", 1, 1, is_array<1, 1>, kPure, "[x]", "True when x is an array of one dimension."},
    {"scalar?", 1, 1, is_scalar, kPure, "[x]", "True when x is a number."},
    {"symmetric?", 1, 1, is_symmetric, kPure, "[x]", "True when x is a symmetric matrix."},
    {"same-shape?", 1, -1, same_shape, kPure, "[& arrays]", "True when all arrays have one shape."},
    {"equals", 2, 3, equal_arrays, kPure, "[a b] [a b tolerance]",
     "True when two arrays have the same shape and the same numbers, up to the tolerance."},
    {"eq", 2, 2, by_element<"eq", ordered<0, 0>>, kPure, "[a b]",
     "1 where the elements are equal, else 0."},
    {"ne", 2, 2, by_element<"ne", different>, kPure, "[a b]",
     "1 where the elements differ, else 0."},
    {"lt", 2, 2, by_element<"lt", ordered<-1, -1>>, kPure, "[a b]",
     "1 where the element of a is less, else 0."},
    {"le", 2, 2, by_element<"le", ordered<-1, 0>>, kPure, "[a b]",
     "1 where the element of a is not greater, else 0."},
    {"gt", 2, 2, by_element<"gt", ordered<1, 1>>, kPure, "[a b]",
     "1 where the element of a is greater, else 0."},
    {"ge", 2, 2, by_element<"ge", ordered<0, 1>>, kPure, "[a b]",
     "1 where the element of a is not less, else 0."},
    {"esum", 1, 1, element_sum, kPure, "[array]", "The sum of all numbers of the array."},
    {"emax", 1, 1, largest_element, kPure, "[array]", "The largest number of the array."},
    {"emin", 1, 1, smallest_element, kPure, "[array]", "The smallest number of the array."},
    {"clojure.core.matrix/max", 1, -1, larger_elements, kPure, "[array] [& arrays]",
     "The largest number of one array; of several, the larger numbers element by element."},
    {"clojure.core.matrix/min", 1, -1, smaller_elements, kPure, "[array] [& arrays]",
     "The smallest number of one array; of several, the smaller numbers element by element."},
    {"l2-norm", 2, 2, squared_difference, kPure, "[a b]",
     "The sum of the squared differences of two arrays."},
    {"clojure.core.matrix/join", 1, -1, join_arrays, kPure, "[& arrays]",
     "The arrays one after the other along their first dimension."},
    {"join-along", 2, -1, join_arrays_along, kPure, "[dimension & arrays]",
     "The arrays one after the other along a dimension."},
};

}  // namespace

std::span<const NativeDef> array_relation_natives() { return kArrayRelationsNatives; }

}  // namespace chancel
