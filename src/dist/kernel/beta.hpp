// SPDX-License-Identifier: Apache-2.0
// Draws of beta variables as a ratio of gammas. With a shape below 1 both gammas may be far below
// the smallest double, so the ratio is then taken of their logarithms.
#pragma once
#include <cmath>
#include <limits>

#include "dist/kernel/gamma.hpp"
#include "math/elementary.hpp"

namespace chancel {

// What draws are clipped to. 1 / (1 + e) is 1 for e up to 2^-53: so much lies beyond the largest.
inline constexpr double kLeastBeta = std::numeric_limits<double>::min();
inline constexpr double kLargestBeta = 1 - 0x1.0p-53;
inline constexpr double kBeyondLargestBeta = 0x1.0p-53;

// Always inside (0, 1).
inline double draw_beta(double a, double b, Stream& stream) {
  double x;
  if (a >= 1 && b >= 1) {
    const double p = draw_gamma_large(a, stream);
    const double q = draw_gamma_large(b, stream);
    x = p / (p + q);
  } else {
    const double p = draw_log_gamma(a, stream);
    const double q = draw_log_gamma(b, stream);
    x = 1 / (1 + math::exp(q - p));
  }
  return std::fmin(std::fmax(x, kLeastBeta), kLargestBeta);
}

}  // namespace chancel
