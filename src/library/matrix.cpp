// SPDX-License-Identifier: Apache-2.0
// The matrix functions that programs use: core.matrix names, and the textbook's mat-*. Arrays are
// nested vectors; products of arrays of integers are integers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

// --- making and measuring ---
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
  if (n == 2 && !names_implementation(a, n))
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

// --- parts ---
bool check_index(NativeContext& cx, const char* function, std::int64_t index, std::size_t length,
                 int argument) {
  if (index >= 0 && index < static_cast<std::int64_t>(length)) return true;
  cx.fail(
      Code::R004,
      fmt::format("{}: index {} is out of range for a dimension of {}", function, index, length),
      argument);
  return false;
}
// The part of the array at one index of a dimension.
NumberArray slice_at(const NumberArray& a, std::size_t dimension, std::size_t index) {
  const Slicing s = slicing(a, dimension);
  NumberArray part;
  part.shape = a.shape;
  part.shape.erase(part.shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  for (std::size_t b = 0; b < s.before; ++b) {
    for (std::size_t k = 0; k < s.behind; ++k)
      part.items.push_back(a.items[(b * s.length + index) * s.behind + k]);
  }
  return part;
}
Value one_slice(NativeContext& cx, const char* function, const Value* a, std::size_t dimension,
                int index_argument) {
  NumberArray array;
  std::int64_t index = 0;
  if (!read_array(cx, function, a, 0, &array) ||
      !read_integer(cx, function, a, index_argument, &index))
    return Value::nil();
  if (array.dimensions() <= dimension) {
    return cx.fail(Code::R009,
                   fmt::format("{}: the array has no dimension {}", function, dimension), 0);
  }
  if (!check_index(cx, function, index, array.shape[dimension], index_argument))
    return Value::nil();
  return array_value(cx, slice_at(array, dimension, static_cast<std::size_t>(index)));
}
Value get_row(NativeContext& cx, const Value* a, std::uint32_t) {
  return one_slice(cx, "get-row", a, 0, 1);
}
Value get_column(NativeContext& cx, const Value* a, std::uint32_t) {
  return one_slice(cx, "get-column", a, 1, 1);
}
Value slice_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::int64_t dimension = 0;
  if (n == 3 && !read_size(cx, "slice", a, 1, &dimension)) return Value::nil();
  return one_slice(cx, "slice", a, static_cast<std::size_t>(dimension), n == 3 ? 2 : 1);
}
Value slices_along(NativeContext& cx, const char* function, const Value* a,
                   std::int64_t dimension) {
  NumberArray array;
  if (!read_array(cx, function, a, 0, &array)) return Value::nil();
  if (dimension >= static_cast<std::int64_t>(array.dimensions())) {
    return cx.fail(Code::R009,
                   fmt::format("{}: the array has no dimension {}", function, dimension), 0);
  }
  const auto d = static_cast<std::size_t>(dimension);
  std::vector<Value> parts;
  for (std::size_t i = 0; i < array.shape[d]; ++i)
    parts.push_back(array_value(cx, slice_at(array, d, i)));
  return list_of(cx, parts);
}
Value slices_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::int64_t dimension = 0;
  if (n == 2 && !read_size(cx, "slices", a, 1, &dimension)) return Value::nil();
  return slices_along(cx, "slices", a, dimension);
}
Value rows_native(NativeContext& cx, const Value* a, std::uint32_t) {
  return slices_along(cx, "rows", a, 0);
}
Value columns_native(NativeContext& cx, const Value* a, std::uint32_t) {
  return slices_along(cx, "columns", a, 1);
}
Value mget(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  if (!read_array_of(cx, "mget", a, 0, n - 1, &array)) return Value::nil();
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < n; ++i) {
    std::int64_t index = 0;
    if (!read_integer(cx, "mget", a, static_cast<int>(i), &index)) return Value::nil();
    if (!check_index(cx, "mget", index, array.shape[i - 1], static_cast<int>(i)))
      return Value::nil();
    at = at * array.shape[i - 1] + static_cast<std::size_t>(index);
  }
  return array.items[at];
}
Value mset(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  if (!read_array_of(cx, "mset", a, 0, n - 2, &array) ||
      !(is_node(a[n - 1]) || check_numbers(cx, "mset", a + n - 1, 1)))
    return Value::nil();
  std::size_t at = 0;
  for (std::uint32_t i = 1; i + 1 < n; ++i) {
    std::int64_t index = 0;
    if (!read_integer(cx, "mset", a, static_cast<int>(i), &index)) return Value::nil();
    if (!check_index(cx, "mset", index, array.shape[i - 1], static_cast<int>(i)))
      return Value::nil();
    at = at * array.shape[i - 1] + static_cast<std::size_t>(index);
  }
  array.items[at] = a[n - 1];
  return array_value(cx, std::move(array));
}
// (select a i :all [0 2] ...): a number takes one index and drops the dimension.
Value select_native(NativeContext& cx, const Value* a, std::uint32_t n) {
  NumberArray array;
  if (!read_array_of(cx, "select", a, 0, n - 1, &array)) return Value::nil();
  std::size_t dimension = 0;
  for (std::uint32_t i = 1; i < n; ++i) {
    const std::size_t length = array.shape[dimension];
    const Value& what = a[i];
    std::vector<Value> wanted;
    bool drop = false;
    if (what.is(Tag::Keyword)) {
      const std::string& key = what.name->full;
      if (length > 0 && key == "first")
        wanted = {Value::integer(0)};
      else if (length > 0 && key == "last")
        wanted = {Value::integer(static_cast<std::int64_t>(length) - 1)};
      else if (key == "all")
        for (std::size_t k = 0; k < length; ++k)
          wanted.push_back(Value::integer(static_cast<std::int64_t>(k)));
      else
        return cx.fail(
            Code::R009,
            fmt::format("select: expected an index, a list of them, :all, :first or :last, got {}",
                        show(what)),
            static_cast<int>(i));
      drop = key != "all";
    } else if (what.is_number()) {
      wanted = {what};
      drop = true;
    } else if (!read_items(cx, "select", a, static_cast<int>(i), &wanted)) {
      return Value::nil();
    }
    const Slicing s = slicing(array, dimension);
    NumberArray part;
    part.shape = array.shape;
    part.shape[dimension] = wanted.size();
    for (std::size_t b = 0; b < s.before; ++b) {
      for (std::size_t w = 0; w < wanted.size(); ++w) {
        std::int64_t index = 0;
        if (!read_integer(cx, "select", &wanted[w], 0, &index)) return Value::nil();
        if (!check_index(cx, "select", index, length, static_cast<int>(i))) return Value::nil();
        cx.tick(1 + s.behind);
        for (std::size_t k = 0; k < s.behind; ++k)
          push_within_limits(
              cx, part.items,
              array.items[(b * s.length + static_cast<std::size_t>(index)) * s.behind + k]);
      }
    }
    array = std::move(part);
    if (drop) {
      array.shape.erase(array.shape.begin() + static_cast<std::ptrdiff_t>(dimension));
    } else {
      ++dimension;
    }
  }
  return array_value(cx, std::move(array));
}
Value reshape(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  std::vector<Value> lengths;
  if (!read_array(cx, "reshape", a, 0, &array) || !read_items(cx, "reshape", a, 1, &lengths))
    return Value::nil();
  std::size_t total = 1;
  std::vector<std::size_t> shape;
  for (const Value& v : lengths) {
    std::int64_t length = 0;
    if (!read_size(cx, "reshape", &v, 0, &length)) return Value::nil();
    shape.push_back(static_cast<std::size_t>(length));
    total = times(total, static_cast<std::size_t>(length));
  }
  if (total > array.items.size()) {
    return cx.fail(Code::R009,
                   fmt::format("reshape: {} elements do not fill the shape [{}]",
                               array.items.size(), fmt::join(shape, " ")),
                   1);
  }
  array.shape = std::move(shape);
  array.items.resize(total);
  return array_value(cx, std::move(array));
}
NumberArray transposed(const NumberArray& a) {
  if (a.dimensions() < 2) return a;
  NumberArray t;
  t.shape = {a.shape[1], a.shape[0]};
  for (std::size_t c = 0; c < a.shape[1]; ++c) {
    for (std::size_t r = 0; r < a.shape[0]; ++r) t.items.push_back(a.items[r * a.shape[1] + c]);
  }
  return t;
}
Value transpose(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array(cx, "transpose", a, 0, &array)) return Value::nil();
  if (array.dimensions() > 2) return cx.fail(Code::R009, "transpose: expected a matrix", 0);
  return array_value(cx, transposed(array));
}
Value diagonal(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array_of(cx, "diagonal", a, 0, 2, &array)) return Value::nil();
  NumberArray d;
  d.shape = {std::min(array.shape[0], array.shape[1])};
  for (std::size_t i = 0; i < d.shape[0]; ++i)
    d.items.push_back(array.items[i * array.shape[1] + i]);
  return array_value(cx, d);
}
Value diagonal_matrix(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray d;
  if (!read_array_of(cx, "diagonal-matrix", a, 0, 1, &d)) return Value::nil();
  return diagonal_of(cx, d.items);
}
Value to_vector(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "to-vector", a, 0, &array) ? vector_of(cx, array.items) : Value::nil();
}
Value eseq(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "eseq", a, 0, &array) ? list_of(cx, array.items) : Value::nil();
}

// --- element by element ---
Value fold_arrays(NativeContext& cx, const char* function, BinaryNumber op, const Value* a,
                  std::uint32_t n, double unary_start, bool unary) {
  NumberArray result;
  if (!read_array(cx, function, a, 0, &result)) return Value::nil();
  if (n == 1 && unary) {
    NumberArray start;
    start.items = {Value::integer(static_cast<std::int64_t>(unary_start))};
    if (combine(cx, function, op, start, result, &result))
      return array_value(cx, std::move(result));
    cx.failure.argument = 0;
    return Value::nil();
  }
  for (std::uint32_t i = 1; i < n; ++i) {
    NumberArray other;
    if (!read_array(cx, function, a, static_cast<int>(i), &other)) return Value::nil();
    if (!combine(cx, function, op, result, other, &result)) return Value::nil();
  }
  return array_value(cx, std::move(result));
}
Value power_of(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "pow", {x, y});
  return Value::real(math::pow(to_double(x), to_double(y)));
}
Value integer_power(NativeContext& cx, const Value& x, const Value& y) {
  if (is_node(x) || is_node(y)) return of_nodes(cx, "%power", {x, y});
  const Value both[2] = {x, y};
  return find_native("%power")->function(cx, both, 2);
}
Value add_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "add", add, a, n, 0, false);
}
Value sub_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "sub", subtract, a, n, 0, true);
}
Value mul_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "mul", multiply, a, n, 1, false);
}
Value div_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "div", divide, a, n, 1, true);
}
Value pow_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "pow", power_of, a, n, 1, false);
}
Value power_arrays(NativeContext& cx, const Value* a, std::uint32_t n) {
  return fold_arrays(cx, "power", integer_power, a, n, 1, false);
}

// The native of this name does the same for one number.
template <Text name, double (*f)(double)>
Value each_element(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  if (!read_array(cx, "array function", a, 0, &array)) return Value::nil();
  for (Value& v : array.items) {
    v = v.is(Tag::Node) ? of_nodes(cx, name.text, {v}) : Value::real(f(to_double(v)));
    if (!cx.ok()) return Value::nil();
  }
  return array_value(cx, std::move(array));
}
double relu(double x) { return x > 0 ? x : 0.0; }
double square_root(double x) { return std::sqrt(x); }
double exponential(double x) { return math::exp(x); }
double logarithm(double x) { return math::log(x); }
double absolute(double x) { return std::fabs(x); }
double hyperbolic_tangent(double x) { return std::tanh(x); }
double sine(double x) { return std::sin(x); }
double cosine(double x) { return std::cos(x); }
double round_down(double x) { return std::floor(x); }
double round_up(double x) { return std::ceil(x); }
Value square_elements(NativeContext& cx, const Value* a, std::uint32_t) {
  const Value both[2] = {a[0], a[0]};
  return fold_arrays(cx, "square", multiply, both, 2, 1, false);
}

// --- products ---
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

// --- the textbook's ---
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
    {"get-row", 2, 2, get_row, kPure, "[matrix i]", "The i-th row."},
    {"get-column", 2, 2, get_column, kPure, "[matrix i]", "The i-th column."},
    {"mget", 1, -1, mget, kPure, "[array & indices]", "The number at the indices."},
    {"mset", 2, -1, mset, kPure, "[array & indices value]",
     "The array with the number at the indices replaced."},
    {"select", 2, -1, select_native, kPure, "[array & indices]",
     "The part of the array at an index, some indices or :all of every dimension."},
    {"slice", 2, 3, slice_native, kPure, "[array i] [array dimension i]",
     "The part of the array at one index of a dimension (0)."},
    {"slices", 1, 2, slices_native, kPure, "[array] [array dimension]",
     "The parts of the array along a dimension (0)."},
    {"rows", 1, 1, rows_native, kPure, "[matrix]", "The rows of the matrix."},
    {"columns", 1, 1, columns_native, kPure, "[matrix]", "The columns of the matrix."},
    {"reshape", 2, 2, reshape, kPure, "[array shape]",
     "The numbers of the array in another shape."},
    {"transpose", 1, 1, transpose, kPure, "[matrix]",
     "The matrix with rows and columns exchanged."},
    {"diagonal", 1, 1, diagonal, kPure, "[matrix]", "The main diagonal."},
    {"diagonal-matrix", 1, 1, diagonal_matrix, kPure, "[v]",
     "The matrix with this main diagonal and zeros elsewhere."},
    {"to-vector", 1, 1, to_vector, kPure, "[array]", "All numbers of the array as one vector."},
    {"eseq", 1, 1, eseq, kPure, "[array]", "All numbers of the array as a list."},
    {"add", 1, -1, add_arrays, kPure, "[& arrays]", "The sum, element by element."},
    {"sub", 1, -1, sub_arrays, kPure, "[a] [a & arrays]",
     "The difference, element by element; one array alone is negated."},
    {"mul", 1, -1, mul_arrays, kPure, "[& arrays]", "The product, element by element."},
    {"emul", 1, -1, mul_arrays, kPure, "[& arrays]", "The product, element by element."},
    {"div", 1, -1, div_arrays, kPure, "[a] [a & arrays]",
     "The quotient, element by element; one array alone is inverted."},
    {"power", 2, 2, power_arrays, kPure, "[x n]",
     "x to the power n, element by element for arrays; whole powers of integers are integers while "
     "they fit."},
    {"square", 1, 1, square_elements, kPure, "[x]", "x times x, element by element for arrays."},
    {"clojure.core.matrix.operators/+", 1, -1, add_arrays, kPure, "[& arrays]",
     "The sum, element by element."},
    {"clojure.core.matrix.operators/-", 1, -1, sub_arrays, kPure, "[a & arrays]",
     "The difference, element by element."},
    {"clojure.core.matrix.operators/*", 1, -1, mul_arrays, kPure, "[& arrays]",
     "The product, element by element."},
    {"clojure.core.matrix.operators//", 1, -1, div_arrays, kPure, "[a & arrays]",
     "The quotient, element by element."},
    {"clojure.core.matrix.operators/**", 2, 2, pow_arrays, kPure, "[a b]",
     "The power, element by element."},
    {"clojure.core.matrix/pow", 2, 2, pow_arrays, kPure, "[a b]", "The power, element by element."},
    {"%array-sqrt", 1, 1, each_element<"sqrt", square_root>, kPure, "[a]",
     "The square root of every element."},
    {"clojure.core.matrix/sqrt", 1, 1, each_element<"sqrt", square_root>, kPure, "[a]",
     "The square root of every element."},
    {"clojure.core.matrix/exp", 1, 1, each_element<"exp", exponential>, kPure, "[a]",
     "e to the power of every element."},
    {"clojure.core.matrix/log", 1, 1, each_element<"log", logarithm>, kPure, "[a]",
     "The natural logarithm of every element."},
    {"clojure.core.matrix/abs", 1, 1, each_element<"abs", absolute>, kPure, "[a]",
     "The absolute value of every element."},
    {"clojure.core.matrix/tanh", 1, 1, each_element<"tanh", hyperbolic_tangent>, kPure, "[a]",
     "The hyperbolic tangent of every element."},
    {"clojure.core.matrix/sin", 1, 1, each_element<"sin", sine>, kPure, "[a]",
     "The sine of every element."},
    {"clojure.core.matrix/cos", 1, 1, each_element<"cos", cosine>, kPure, "[a]",
     "The cosine of every element."},
    {"clojure.core.matrix/floor", 1, 1, each_element<"floor", round_down>, kPure, "[a]",
     "Every element rounded down."},
    {"clojure.core.matrix/ceil", 1, 1, each_element<"ceil", round_up>, kPure, "[a]",
     "Every element rounded up."},
    {"mmul", 1, -1, mmul, kPure, "[& arrays]",
     "The matrix product; vectors are rows on the left and columns on the right."},
    {"dot", 2, 2, dot, kPure, "[a b]", "The sum of the products of the elements."},
    {"inner-product", 2, 2, mmul, kPure, "[a b]", "The inner product."},
    {"outer-product", 2, 2, outer_product, kPure, "[a b]",
     "All products of an element of a and an element of b."},
    {"mat-mul", 2, -1, mat_mul, kPure, "[a b]", "The matrix product (textbook)."},
    {"mat-add", 2, -1, add_arrays, kPure, "[a b]", "The sum of matrices (textbook)."},
    {"mat-transpose", 1, 1, transpose, kPure, "[a]", "The transposed matrix (textbook)."},
    {"mat-tanh", 1, 1, each_element<"tanh", hyperbolic_tangent>, kPure, "[a]",
     "The hyperbolic tangent of every element (textbook)."},
    {"mat-relu", 1, 1, each_element<"relu", relu>, kPure, "[a]",
     "Every element, negative ones as zero (textbook)."},
    {"mat-repmat", 3, 3, mat_repmat, kPure, "[a down across]",
     "The matrix repeated down and across (textbook)."},
    {"set-current-implementation", 1, 1, nothing, kPure, "[implementation]",
     "Does nothing: there is one kind of array."},
};

}  // namespace

std::span<const NativeDef> matrix_natives() { return kMatrixNatives; }

}  // namespace chancel
