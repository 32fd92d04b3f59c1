// SPDX-License-Identifier: Apache-2.0
#include "library/eigen_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/symbolic_hook.hpp"

namespace chancel {

Matrix to_matrix(const NumberArray& a) {
  const auto rows = static_cast<Index>(a.shape.empty() ? 1 : a.shape[0]);
  const auto columns = static_cast<Index>(a.shape.size() < 2 ? 1 : a.shape[1]);
  Matrix m(rows, columns);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c)
      m(r, c) = to_double(a.items[static_cast<std::size_t>(r * columns + c)]);
  }
  return m;
}
NumberArray from_matrix(const Matrix& m, std::vector<std::size_t> shape, bool integers) {
  NumberArray a;
  a.shape = std::move(shape);
  a.items.reserve(static_cast<std::size_t>(m.size()));
  for (Index r = 0; r < m.rows(); ++r) {
    for (Index c = 0; c < m.cols(); ++c) {
      a.items.push_back(integers && std::fabs(m(r, c)) < 0x1.0p53
                            ? Value::integer(static_cast<std::int64_t>(m(r, c)))
                            : Value::real(m(r, c)));
    }
  }
  return a;
}
Value matrix_value(NativeContext& cx, const Matrix& m) {
  return array_value(
      cx, from_matrix(m, {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())}));
}
void room_for_matrices(NativeContext& cx, const NumberArray& array) {
  cx.room_for(times(array.items.size(), 6 * sizeof(double)));
}
bool read_square(NativeContext& cx, const char* function, const Value* a, NumberArray* out) {
  NumberArray& array = *out;
  if (!read_array(cx, function, a, 0, &array)) return false;
  if (array.dimensions() == 0) array.shape = {1, 1};
  if (array.dimensions() != 2 || array.shape[0] != array.shape[1]) {
    cx.fail(Code::R009,
            fmt::format("{}: expected a square matrix, got an array of shape [{}]", function,
                        fmt::join(array.shape, " ")),
            0);
    return false;
  }
  return true;
}
bool read_square(NativeContext& cx, const char* function, const Value* a, Matrix* out) {
  NumberArray array;
  if (!read_square(cx, function, a, &array)) return false;
  room_for_matrices(cx, array);
  *out = to_matrix(array);
  return true;
}
StepCount steps_of(NativeContext& cx) {
  return [&cx](std::uint64_t steps) { cx.tick(steps); };
}
bool check_finite(NativeContext& cx, const char* function, const Matrix& m) {
  if (m.allFinite()) return true;
  cx.fail(Code::R009, fmt::format("{}: the matrix has elements that are not finite", function), 0);
  return false;
}

Value of_nodes(NativeContext& cx, const char* native, std::initializer_list<Value> args) {
  return cx.symbolic->call(cx, find_native(native), args.begin(),
                           static_cast<std::uint32_t>(args.size()));
}
bool has_nodes(const NumberArray& a) {
  return std::any_of(a.items.begin(), a.items.end(), is_node);
}

}  // namespace chancel
