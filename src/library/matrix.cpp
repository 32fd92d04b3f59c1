// SPDX-License-Identifier: Apache-2.0
// Matrices as programs make and measure them: core.matrix names, and the textbook's mat-*. Arrays are
// nested vectors. Parts of arrays are in array_parts.cpp, functions of their elements in
// array_elements.cpp, products in array_products.cpp.
#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

Value matrix_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;  // (matrix implementation data): the implementation does not matter
  return read_array(cx, "matrix", a, static_cast<int>(n) - 1, &array) ? array_value(cx, array)
                                                                      : Value::nil();
}
Value filled(NativeContext& cx, const char* function, const Value* a, std::uint32_t n,
             double value) {
  NumberArray array;
  std::size_t total = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::int64_t length = 0;
    if (!read_size(cx, function, a, static_cast<int>(i), &length)) return Value::nil();
    array.shape.push_back(static_cast<std::size_t>(length));
    total = times(total, array.shape.back());
  }
  room_for_shape(cx, array.shape);
  array.items.assign(total, Value::real(value));
  return array_value(cx, std::move(array));
}
// core.matrix lets an implementation come first (:vectorz); there is one kind of array here.
bool names_implementation(const Value* a, std::uint32_t n) {
  return n > 1 && (a[0].is_nil() || a[0].is(Tag::Keyword));
}
Value zero_vector(NativeContext& cx, const Value* a, std::uint32_t n) {
  const std::uint32_t skip = names_implementation(a, n) ? 1 : 0;
  if (n - skip != 1)
    return cx.wrong_type("zero-vector", 0, "the keyword of an implementation", a[0]);
  return filled(cx, "zero-vector", a + skip, 1, 0);
}
Value zero_matrix(NativeContext& cx, const Value* a, std::uint32_t n) {
  const std::uint32_t skip = names_implementation(a, n) ? 1 : 0;
  if (n - skip != 2)
    return cx.wrong_type("zero-matrix", 0, "the keyword of an implementation", a[0]);
  return filled(cx, "zero-matrix", a + skip, 2, 0);
}
// The square matrix with these numbers on its diagonal and zeros elsewhere.
Value diagonal_of(NativeContext& cx, const std::vector<Value>& diagonal) {
  const std::size_t size = diagonal.size();
  NumberArray m;
  m.shape = {size, size};
  room_for_shape(cx, m.shape);
  m.items.assign(size * size, Value::real(0));
  for (std::size_t i = 0; i < size; ++i) m.items[i * size + i] = diagonal[i];
  return array_value(cx, std::move(m));
}
Value identity_matrix(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::int64_t length = 0;
  // (identity-matrix 2 2): core.matrix takes any value for that of an implementation.
  if (n == 2 && !names_implementation(a, n) && !a[0].is_number())
    return cx.wrong_type("identity-matrix", 0, "the keyword of an implementation", a[0]);
  if (!read_size(cx, "identity-matrix", a, static_cast<int>(n) - 1, &length)) return Value::nil();
  const auto size = static_cast<std::size_t>(length);
  room_for_shape(cx, {size, size});
  return diagonal_of(cx, std::vector<Value>(size, Value::real(1)));
}
Value shape_native(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array(cx, "shape", a, 0, &array)) return Value::nil();
  std::vector<Value> lengths;
  for (std::size_t s : array.shape) lengths.push_back(Value::integer(static_cast<std::int64_t>(s)));
  return vector_of(cx, lengths);
}
Value dimensionality(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "dimensionality", a, 0, &array)
             ? Value::integer(static_cast<std::int64_t>(array.dimensions()))
             : Value::nil();
}
Value element_count(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "ecount", a, 0, &array)
             ? Value::integer(static_cast<std::int64_t>(array.items.size()))
             : Value::nil();
}
Value row_count(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array(cx, "row-count", a, 0, &array)) return Value::nil();
  if (array.shape.empty()) return cx.wrong_type("row-count", 0, "an array", a[0]);
  return Value::integer(static_cast<std::int64_t>(array.shape[0]));
}
Value column_count(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array_of(cx, "column-count", a, 0, 2, &array)) return Value::nil();
  return Value::integer(static_cast<std::int64_t>(array.shape[1]));
}
Value diagonal_matrix(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray d;
  if (!read_array_of(cx, "diagonal-matrix", a, 0, 1, &d)) return Value::nil();
  return diagonal_of(cx, d.items);
}
Value mat_repmat(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray m;
  std::int64_t down = 0;
  std::int64_t across = 0;
  if (!read_array(cx, "mat-repmat", a, 0, &m) || !read_size(cx, "mat-repmat", a, 1, &down) ||
      !read_size(cx, "mat-repmat", a, 2, &across)) {
    return Value::nil();
  }
  if (m.dimensions() == 0) m.shape = {1, 1};
  if (m.dimensions() == 1) m.shape = {1, m.shape[0]};
  if (m.dimensions() != 2) return cx.fail(Code::R009, "mat-repmat: expected a matrix", 0);
  NumberArray out;
  out.shape = {times(m.shape[0], static_cast<std::size_t>(down)),
               times(m.shape[1], static_cast<std::size_t>(across))};
  room_for_shape(cx, out.shape);
  out.items.reserve(out.shape[0] * out.shape[1]);
  for (std::size_t r = 0; r < out.shape[0]; ++r) {
    for (std::size_t c = 0; c < out.shape[1]; ++c)
      out.items.push_back(m.items[(r % m.shape[0]) * m.shape[1] + c % m.shape[1]]);
  }
  return array_value(cx, std::move(out));
}
Value nothing(NativeContext&, const Value*, std::uint32_t) { return Value::nil(); }

constexpr NativeDef kMatrixNatives[] = {
    {"matrix", 1, 2, matrix_native, kPure, "[data] [implementation data]",
     "The nested sequences of numbers as nested vectors."},
    {"array", 1, 2, matrix_native, kPure, "[data] [implementation data]",
     "The nested sequences of numbers as nested vectors."},
    {"to-nested-vectors", 1, 1, matrix_native, kPure, "[array]", "The array as nested vectors."},
    {"identity-matrix", 1, 2, identity_matrix, kPure, "[n] [implementation n]",
     "The n by n identity matrix."},
    {"zero-vector", 1, 2, zero_vector, kPure, "[n] [implementation n]", "A vector of n zeros."},
    {"zero-matrix", 2, 3, zero_matrix, kPure, "[rows columns] [implementation rows columns]",
     "A matrix of zeros."},
    {"shape", 1, 1, shape_native, kPure, "[array]", "The lengths of the dimensions as a vector."},
    {"dimensionality", 1, 1, dimensionality, kPure, "[array]", "The number of dimensions."},
    {"ecount", 1, 1, element_count, kPure, "[array]", "The number of numbers in the array."},
    {"row-count", 1, 1, row_count, kPure, "[array]", "The number of rows."},
    {"column-count", 1, 1, column_count, kPure, "[matrix]", "The number of columns."},
    {"diagonal-matrix", 1, 1, diagonal_matrix, kPure, "[v]",
     "The matrix with this main diagonal and zeros elsewhere."},
    {"mat-repmat", 3, 3, mat_repmat, kPure, "[a down across]",
     "The matrix repeated down and across (textbook)."},
    {"set-current-implementation", 1, 1, nothing, kPure, "[implementation]",
     "Does nothing: there is one kind of array."},
};

}  // namespace

std::span<const NativeDef> matrix_natives() { return kMatrixNatives; }

}  // namespace chancel
