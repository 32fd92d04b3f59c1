// SPDX-License-Identifier: Apache-2.0
#include "library/array.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "library/arguments.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMaxDimensions = 16;
// While a program is recorded, numbers may be nodes: functions that only add, multiply and move them
// about record what they do.
bool is_numeric(const Value& v) { return v.is_number() || v.is(Tag::Node); }
}  // namespace

bool NumberArray::all_integers() const {
  return std::all_of(items.begin(), items.end(), [](const Value& v) { return v.is(Tag::Int); });
}

bool read_array(NativeContext& cx, const char* function, const Value* args, int index,
                NumberArray* out) {
  out->shape.clear();
  out->items.clear();
  // Level by level: all elements of one level are numbers, or all are sequences of one length.
  std::vector<Value> level{args[index]};
  while (true) {
    const bool numbers = level.empty() || is_numeric(level[0]);
    for (const Value& v : level) {
      if (is_numeric(v) == numbers && (numbers || (is_sequential(v)))) continue;
      if (is_numeric(v) || is_sequential(v)) {
        cx.fail(Code::R009, fmt::format("{}: the array mixes numbers and sequences", function),
                index);
      } else {
        cx.wrong_type(
            function, index,
            out->shape.empty() ? "a number or an array of numbers" : "an array of numbers", v);
      }
      return false;
    }
    if (numbers) break;
    if (out->shape.size() == kMaxDimensions) {
      cx.fail(Code::R009,
              fmt::format("{}: the array has more than {} dimensions", function, kMaxDimensions),
              index);
      return false;
    }
    std::vector<Value> below;
    std::size_t length = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::size_t before = below.size();
      if (!read_items(cx, function, &level[i], 0, &below)) return false;
      if (i == 0) length = below.size();
      if (below.size() - before != length) {
        cx.fail(Code::R009,
                fmt::format("{}: the rows of the array differ in length: {} and {}", function,
                            length, below.size() - before),
                index);
        return false;
      }
    }
    out->shape.push_back(length);
    level = std::move(below);
  }
  out->items = std::move(level);
  return true;
}

bool read_array_of(NativeContext& cx, const char* function, const Value* args, int index,
                   std::size_t dimensions, NumberArray* out) {
  if (!read_array(cx, function, args, index, out)) return false;
  if (out->dimensions() == dimensions) return true;
  cx.fail(Code::R009,
          fmt::format("{}: expected {}, got an array of shape [{}]", function,
                      dimensions == 2   ? "a matrix"
                      : dimensions == 1 ? "a vector of numbers"
                                        : "a number",
                      fmt::join(out->shape, " ")),
          index);
  return false;
}

std::size_t times(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::size_t{0} : product;
}

void room_for_shape(NativeContext& cx, const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    count = times(count, length);
    cx.room_for(times(count, 2 * sizeof(Value)));
  }
  cx.tick(1 + count / 8);
}

Value array_value(NativeContext& cx, NumberArray array) {
  if (array.shape.empty()) return array.items[0];
  room_for_shape(cx, array.shape);
  std::vector<Value> level = std::move(array.items);
  for (std::size_t d = array.shape.size(); d-- > 0;) {
    const std::size_t length = array.shape[d];
    std::size_t count = 1;
    for (std::size_t i = 0; i < d; ++i) count *= array.shape[i];
    std::vector<Value> above;
    above.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
      above.push_back(make_vector(*cx.arena, level.data() + i * length, length));
    level = std::move(above);
  }
  return level[0];
}

bool combine(NativeContext& cx, const char* function, BinaryNumber op, const NumberArray& a,
             const NumberArray& b, NumberArray* out) {
  const bool a_larger = a.shape.size() >= b.shape.size();
  const NumberArray& large = a_larger ? a : b;
  const NumberArray& small = a_larger ? b : a;
  if (!std::equal(small.shape.rbegin(), small.shape.rend(), large.shape.rbegin())) {
    cx.fail(Code::R009,
            fmt::format("{}: the shapes [{}] and [{}] do not fit", function,
                        fmt::join(a.shape, " "), fmt::join(b.shape, " ")),
            1);
    return false;
  }
  cx.room_for(large.items.size() * sizeof(Value));
  cx.tick(large.items.size());
  std::vector<Value> items(large.items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Value& x = a_larger ? a.items[i] : a.items[i % a.items.size()];
    const Value& y = a_larger ? b.items[i % b.items.size()] : b.items[i];
    items[i] = op(cx, x, y);
    if (!cx.ok()) return false;
  }
  std::vector<std::size_t> shape = large.shape;
  out->shape = std::move(shape);
  out->items = std::move(items);
  return true;
}

Slicing slicing(const NumberArray& array, std::size_t dimension) {
  Slicing s;
  for (std::size_t d = 0; d < array.shape.size(); ++d) {
    (d < dimension ? s.before : d == dimension ? s.length : s.behind) *= array.shape[d];
  }
  return s;
}

}  // namespace chancel
