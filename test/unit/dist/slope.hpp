// SPDX-License-Identifier: Apache-2.0
// The slope of a function from its values.
#pragma once
#include <cmath>
#include <functional>
#include <limits>

namespace chancel {

// Central differences, extrapolated (Ridders 1982), with steps that stay away from the edge of the
// support. `doubt`: how far it may be off.
inline double slope(const std::function<double(double)>& f, double x, double* doubt = nullptr) {
  constexpr int kSteps = 10;
  double table[kSteps][kSteps];
  double best = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();
  double h = 0.2 * std::fmax(std::fabs(x), 0.05);
  while (!std::isfinite(f(x + h)) || !std::isfinite(f(x - h))) h /= 2;
  h /= 10;
  for (int i = 0; i < kSteps; ++i, h /= 1.6) {
    table[i][0] = (f(x + h) - f(x - h)) / (2 * h);
    double power = 1.6 * 1.6;
    for (int j = 1; j <= i; ++j, power *= 1.6 * 1.6) {
      table[i][j] = (table[i][j - 1] * power - table[i - 1][j - 1]) / (power - 1);
      const double now = std::fmax(std::fabs(table[i][j] - table[i][j - 1]),
                                   std::fabs(table[i][j] - table[i - 1][j - 1]));
      if (now <= error) error = now, best = table[i][j];
    }
  }
  if (doubt) {
    constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
    *doubt = error + kRounding * std::fabs(f(x)) / (h * 1.6);
  }
  return best;
}

}  // namespace chancel
