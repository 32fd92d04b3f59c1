// SPDX-License-Identifier: Apache-2.0
// Parts of arrays: elements, rows, slices, and the same numbers in another shape.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "library/arguments.hpp"
#include "library/array.hpp"
#include "library/eigen_arrays.hpp"
#include "library/registry.hpp"

namespace chancel {
namespace {

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
Value to_vector(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "to-vector", a, 0, &array) ? vector_of(cx, array.items) : Value::nil();
}
Value eseq(NativeContext& cx, const Value* a, std::uint32_t) {
  NumberArray array;
  return read_array(cx, "eseq", a, 0, &array) ? list_of(cx, array.items) : Value::nil();
}

constexpr NativeDef kArrayPartNatives[] = {
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
    {"to-vector", 1, 1, to_vector, kPure, "[array]", "All numbers of the array as one vector."},
    {"eseq", 1, 1, eseq, kPure, "[array]", "All numbers of the array as a list."},
    {"mat-transpose", 1, 1, transpose, kPure, "[a]", "The transposed matrix (textbook)."},
};

}  // namespace

std::span<const NativeDef> array_part_natives() { return kArrayPartNatives; }

}  // namespace chancel
