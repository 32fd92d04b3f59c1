// SPDX-License-Identifier: Apache-2.0
// Elementary functions of nodes and their derivatives, from graph_ops.def, as types that loops are
// made of.
#pragma once
#include <cmath>

#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel::elementary {

// NOLINTBEGIN: parameters that some functions do not use
#define CHANCEL_UNARY(name, value, dx)                                                       \
  struct name {                                                                              \
    static double of(double x) { return value; }                                             \
    static double slope([[maybe_unused]] double x, [[maybe_unused]] double r) { return dx; } \
  };
#define CHANCEL_BINARY(name, value, dx, dy)                                     \
  struct name {                                                                 \
    static double of(double x, double y) { return value; }                      \
    static double slope_x([[maybe_unused]] double x, [[maybe_unused]] double y, \
                          [[maybe_unused]] double r) {                          \
      return dx;                                                                \
    }                                                                           \
    static double slope_y([[maybe_unused]] double x, [[maybe_unused]] double y, \
                          [[maybe_unused]] double r) {                          \
      return dy;                                                                \
    }                                                                           \
  };
#include "record/graph_ops.def"
// NOLINTEND

}  // namespace chancel::elementary
