// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors; those of arrays of integers are integers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

// The same sums as product() makes, while a program is recorded.
bool multiply_nodes(NativeContext& cx, const NumberArray& a, const NumberArray& b,
                    NumberArray* out) {
  const std::size_t rows = a.dimensions() == 2 ? a.shape[0] : 1, inner = a.shape.back();
  const std::size_t columns = b.dimensions() == 2 ? b.shape[1] : 1;
  const auto real = [](const Value& v) { return v.is(Tag::Node) ? v : Value::real(to_double(v)); };
  NumberArray result;
  if (a.dimensions() == 2) result.shape.push_back(rows);
  if (b.dimensions() == 2) result.shape.push_back(columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      Value sum = Value::real(0);
      for (std::size_t k = 0; k < inner && cx.ok(); ++k)
        sum = add(cx, sum,
                  multiply(cx, real(a.items[i * inner + k]), real(b.items[k * columns + j])));
      if (!cx.ok()) return false;
      push_within_limits(cx, result.items, sum);
    }
  *out = std::move(result);
  return true;
}
bool multiply_arrays(NativeContext& cx, const char* function, const NumberArray& a,
                     const NumberArray& b, NumberArray* out) {
  if (a.dimensions() == 0 || b.dimensions() == 0) return combine(cx, function, multiply, a, b, out);
  if (a.dimensions() > 2 || b.dimensions() > 2 || a.shape.back() != b.shape[0]) {
    cx.fail(Code::R009,
            fmt::format("{}: the shapes [{}] and [{}] do not fit", function,
                        fmt::join(a.shape, " "), fmt::join(b.shape, " ")),
            1);
    return false;
  }
  if (has_nodes(a) || has_nodes(b)) return multiply_nodes(cx, a, b, out);
  const bool integers = a.all_integers() && b.all_integers();
  room_for_matrices(cx, a);
  room_for_matrices(cx, b);
  room_for_shape(cx, {a.dimensions() == 2 ? a.shape[0] : 1, b.dimensions() == 2 ? b.shape[1] : 1});
  Matrix left = to_matrix(a);
  if (a.dimensions() == 1) left.transposeInPlace();
  std::vector<std::size_t> shape;
  if (a.dimensions() == 2) shape.push_back(a.shape[0]);
  if (b.dimensions() == 2) shape.push_back(b.shape[1]);
  *out = from_matrix(product(steps_of(cx), left, to_matrix(b)), std::move(shape), integers);
  return true;
}
Value products(NativeContext& cx, const char* function, const Value* a, std::uint32_t n) {
  NumberArray result;
  if (!read_array(cx, function, a, 0, &result)) return Value::nil();
  for (std::uint32_t i = 1; i < n; ++i) {
    NumberArray other;
    if (!read_array(cx, function, a, static_cast<int>(i), &other)) return Value::nil();
    if (!multiply_arrays(cx, function, result, other, &result)) return Value::nil();
  }
  return array_value(cx, std::move(result));
}
Value mmul(NativeContext& cx, const Value* a, std::uint32_t n) {
  return products(cx, "mmul", a, n);
}
Value mat_mul(NativeContext& cx, const Value* a, std::uint32_t n) {
  return products(cx, "mat-mul", a, n);
}
Value dot(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray x;
  NumberArray y;
  if (!read_array(cx, "dot", a, 0, &x) || !read_array(cx, "dot", a, 1, &y)) return Value::nil();
  if (x.shape != y.shape) {
    return cx.fail(Code::R009,
                   fmt::format("dot: the shapes [{}] and [{}] differ", fmt::join(x.shape, " "),
                               fmt::join(y.shape, " ")),
                   1);
  }
  Value sum = Value::integer(0);
  for (std::size_t i = 0; i < x.items.size() && cx.ok(); ++i) {
    const Value p = multiply(cx, x.items[i], y.items[i]);
    if (cx.ok()) sum = add(cx, sum, p);
  }
  return sum;
}
Value outer_product(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray x;
  NumberArray y;
  if (!read_array(cx, "outer-product", a, 0, &x) || !read_array(cx, "outer-product", a, 1, &y))
    return Value::nil();
  NumberArray result;
  result.shape = x.shape;
  result.shape.insert(result.shape.end(), y.shape.begin(), y.shape.end());
  for (const Value& p : x.items) {
    cx.tick(1 + y.items.size());
    for (const Value& q : y.items) {
      push_within_limits(cx, result.items, multiply(cx, p, q));
      if (!cx.ok()) return Value::nil();
    }
  }
  return array_value(cx, std::move(result));
}

constexpr NativeDef kArrayProductNatives[] = {
    {"mmul", 1, -1, mmul, kPure, "[& arrays]",
     "The matrix product; vectors are rows on the left and columns on the right."},
    {"dot", 2, 2, dot, kPure, "[a b]", "The sum of the products of the elements."},
    {"inner-product", 2, 2, mmul, kPure, "[a b]", "The inner product."},
    {"outer-product", 2, 2, outer_product, kPure, "[a b]",
     "All products of an element of a and an element of b."},
    {"mat-mul", 2, -1, mat_mul, kPure, "[a b]", "The matrix product (textbook)."},
};

}  // namespace

std::span<const NativeDef> array_product_natives() { return kArrayProductNatives; }

}  // namespace chancel
