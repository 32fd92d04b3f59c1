// SPDX-License-Identifier: Apache-2.0
// The values of one label over the draws of a run, on their way to a NumPy array. A column starts
// narrow and widens when a value does not fit: booleans, integers, reals, each possibly in vectors
// of one fixed shape; then any Python object. Numbers are written once, into the memory that the
// array then owns: 8 bytes and a few nanoseconds each. Labels that a draw lacks are None.
#pragma once
#include <pybind11/numpy.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "datum.hpp"

namespace chancel::python {

class Column {
 public:
  // The value of draw number `row`; rows come in rising order.
  void add(std::size_t row, const ValueView& value);
  // The array of all rows, of which there are `rows`; the column is empty afterwards. Needs the
  // interpreter.
  pybind11::array take(std::size_t rows);

 private:
  enum class Kind { Empty, Boolean, Integer, Real, Object };
  // Numbers of a value in row-major order; false when it is not made of numbers in a fixed shape.
  bool flatten(const ValueView& value, std::size_t depth);
  bool add_leaf(const ValueView& value);
  void add_numbers();
  void add_object(const ValueView& value);
  void to_reals();
  void to_objects();
  void pad(std::size_t row);
  Datum rebuild(std::size_t row) const;

  Kind kind_ = Kind::Empty;
  std::size_t rows_ = 0;
  std::vector<std::size_t> shape_;  // of one value
  std::size_t width_ = 1;           // numbers in one value
  std::vector<std::uint8_t> booleans_;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  // Objects: a number for each row, into `distinct_`. Texts, keywords and nil are kept once;
  // structures each for themselves.
  std::vector<std::uint32_t> objects_;
  std::vector<Datum> distinct_;
  std::unordered_map<std::string, std::uint32_t> known_;

  // Of the value that is being added.
  Kind leaf_ = Kind::Empty;
  std::vector<std::size_t> value_shape_;
  std::vector<double> value_reals_;
  std::vector<std::int64_t> value_integers_;
};

}  // namespace chancel::python
