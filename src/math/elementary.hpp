// SPDX-License-Identifier: Apache-2.0
// Small functions of one number that the language has beside those of the C library.
#pragma once
#include <cmath>

namespace chancel {

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }
inline double logit(double x) { return std::log(x) - std::log1p(-x); }
// One Newton step after the C library's cube root, which can be off in the last place: (cbrt 27) is
// 3.0.
inline double cube_root(double x) {
  const double r = std::cbrt(x);
  return r == 0 || !std::isfinite(r) ? r : r - (r * r * r - x) / (3 * r * r);
}

}  // namespace chancel
