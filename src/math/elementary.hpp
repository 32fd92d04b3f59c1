// SPDX-License-Identifier: Apache-2.0
// Elementary functions of plain numbers. Draws and densities depend on exp and log to the last bit, and C
// libraries choose their versions by the processor: these are ours, with the same bits everywhere
// (math/exp_log.h). Rooms that numbers of programs go through call them, never those of <cmath>
// (scripts/check_layers.py). What is not here (sines, gamma functions) comes from the C library and from
// Boost.Math.
#pragma once
#include <cmath>

#include "math/exp_log_table.hpp"

namespace chancel {

namespace math {
inline double exp(double x) { return chancel_exp(kExpTable, x); }
inline double expm1(double x) { return chancel_expm1(kExpTable, x); }
inline double log(double x) { return chancel_log(kLogTable, x); }
inline double log1p(double x) { return chancel_log1p(kLogTable, x); }
double pow(double x, double y);
}  // namespace math

inline double logistic(double x) { return 1 / (1 + math::exp(-x)); }
inline double logit(double x) { return math::log(x) - math::log1p(-x); }
// One Newton step after the C library's cube root, which can be off in the last place: (cbrt 27) is
// 3.0.
inline double cube_root(double x) {
  const double r = std::cbrt(x);
  return r == 0 || !std::isfinite(r) ? r : r - (r * r * r - x) / (3 * r * r);
}

}  // namespace chancel
