// SPDX-License-Identifier: Apache-2.0
// Arrays of numbers as programs write them: nested vectors (or lists) of equal lengths.
// Element-wise work keeps the types of the numbers (integers stay integers); linear algebra is on
// doubles.
#pragma once
#include <cstdint>
#include <vector>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

struct NumberArray {
  std::vector<std::size_t> shape;  // empty: one number
  std::vector<Value> items;        // row-major
  std::size_t dimensions() const { return shape.size(); }
  bool all_integers() const;
};

// A number, or nested sequences that form a box; reports ragged ones and non-numeric
// elements.
bool read_array(NativeContext& cx, const char* function, const Value* args, int index,
                NumberArray* out);
// Exactly this many dimensions.
bool read_array_of(NativeContext& cx, const char* function, const Value* args, int index,
                   std::size_t dimensions, NumberArray* out);
Value array_value(NativeContext& cx, NumberArray array);
// The product, or the largest number there is.
std::size_t times(std::size_t a, std::size_t b);
// Throws MemoryLimit when an array of this shape would not fit: its numbers, and the vectors around
// them (a shape may have many of those and no numbers).
void room_for_shape(NativeContext& cx, const std::vector<std::size_t>& shape);

// a op b element by element; the smaller shape is repeated along the first dimensions of the
// larger.
using BinaryNumber = Value (*)(NativeContext&, const Value&, const Value&);
bool combine(NativeContext& cx, const char* function, BinaryNumber op, const NumberArray& a,
             const NumberArray& b, NumberArray* out);

// Along a dimension: `before` blocks of `length` slices of `behind` numbers each.
struct Slicing {
  std::size_t before = 1;
  std::size_t length = 1;
  std::size_t behind = 1;
};
Slicing slicing(const NumberArray& array, std::size_t dimension);

}  // namespace chancel
