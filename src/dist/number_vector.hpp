// SPDX-License-Identifier: Apache-2.0
// Vectors and matrices of numbers for the multivariate distributions: values to doubles and back,
// and a scratch buffer that needs no allocation up to dimension 8 x 8.
#pragma once
#include <cstddef>
#include <memory>

#include "dist/parameters.hpp"
#include "value/collections.hpp"

namespace chancel {

template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t n) : large_(n > kSmall ? new T[n] : nullptr) {}
  T* data() { return large_ ? large_.get() : small_; }
  T& operator[](std::size_t i) { return data()[i]; }

 private:
  static constexpr std::size_t kSmall = 64;
  T small_[kSmall];
  std::unique_ptr<T[]> large_;
};

inline Value make_number_vector(Arena& arena, const double* x, std::size_t n) {
  Scratch<Value> items(n);
  for (std::size_t i = 0; i < n; ++i) items[i] = Value::real(x[i]);
  return make_vector(arena, items.data(), n);
}
// Row by row.
inline Value make_matrix(Arena& arena, const double* x, std::size_t rows, std::size_t columns) {
  Scratch<Value> items(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    items[i] = make_number_vector(arena, x + i * columns, columns);
  }
  return make_vector(arena, items.data(), rows);
}
// Exactly n numbers; false for anything else.
inline bool read_vector(const Value& v, double* out, std::size_t n) {
  if (v.is_nil()) return false;
  std::size_t i = 0;
  const bool all =
      each_item(v, [&](const Value& item) { return i < n && read_number(item, out + i++); });
  return all && i == n;
}
inline bool read_matrix(const Value& v, double* out, std::size_t rows, std::size_t columns) {
  if (v.is_nil()) return false;
  std::size_t i = 0;
  const bool all = each_item(v, [&](const Value& row) {
    return i < rows && read_vector(row, out + columns * i++, columns);
  });
  return all && i == rows;
}

}  // namespace chancel
