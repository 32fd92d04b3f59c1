// SPDX-License-Identifier: Apache-2.0
// Poisson draws and mass. Below a mean of 10: inversion by sequential search, one uniform. From 10
// on: PTRS of Hoermann (1993), transformed rejection with a squeeze, at most 1.3 pairs of uniforms.
// The mass uses Loader's saddle-point form where the plain one would cancel.
#pragma once
#include <array>
#include <cmath>

#include "math/elementary.hpp"
#include "math/special.hpp"
#include "random/stream.hpp"

namespace chancel {

inline double poisson_log_mass(double lambda, double log_lambda, double k) {
  if (k < 256 && lambda < 256) {
    return (k == 0 ? 0 : k * log_lambda) - lambda - log_factorial(k);
  }
  if (k == 0) return -lambda;
  return -stirling_error(k) - deviance(k, lambda) - 0.5 * (kLogTwoPi + math::log(k));
}

// For mean 10, 1 - cdf(150) is below 1e-100: what is left beyond it is rounding error; then it
// draws again.
inline constexpr int kPoissonSearch = 150;
inline constexpr std::array<double, kPoissonSearch> kOneOver = [] {  // 1 / (k + 1)
  std::array<double, kPoissonSearch> table{};
  for (int k = 0; k < kPoissonSearch; ++k) table[static_cast<std::size_t>(k)] = 1.0 / (k + 1);
  return table;
}();

inline double draw_poisson_small(double exp_minus_lambda, double lambda, Stream& stream) {
  for (;;) {
    double u = stream.uniform();
    double p = exp_minus_lambda;
    for (std::size_t k = 0; k < kPoissonSearch; ++k) {
      if (u < p) return static_cast<double>(k);
      u -= p;
      p *= lambda * kOneOver[k];
    }
  }
}

inline double draw_poisson_large(double lambda, double log_lambda, Stream& stream) {
  const double b = 0.931 + 2.53 * std::sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = stream.uniform() - 0.5;
    const double v = stream.uniform_open();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    const double log_v = math::log(v * inverse_alpha / (a / (us * us) + b));
    if (log_v <= poisson_log_mass(lambda, log_lambda, k)) return k;
  }
}

inline double draw_poisson(double lambda, Stream& stream) {
  if (lambda < 10) return draw_poisson_small(math::exp(-lambda), lambda, stream);
  return draw_poisson_large(lambda, math::log(lambda), stream);
}

}  // namespace chancel
