// SPDX-License-Identifier: Apache-2.0
// Binomial draws and mass. With n min(p, 1-p) below 10: inversion by sequential search. Else BTRS
// of Hoermann (1993), transformed rejection with a squeeze. The mass is Loader's saddle-point form
// for large n, log factorials from a table below 256.
#pragma once
#include <cmath>

#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "math/special.hpp"
#include "random/stream.hpp"

namespace chancel {

// 0 <= k <= n, whole; log_p and log_q are log(p) and log(1 - p).
inline double binomial_log_mass(double n, double p, double log_p, double log_q, double k) {
  if (k == 0) return n == 0 ? 0 : n * log_q;
  if (k == n) return n * log_p;
  if (p <= 0 || p >= 1) return kLogZero;
  if (n < 256) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * log_p + (n - k) * log_q;
  }
  const double rest = n - k;
  return stirling_error(n) - stirling_error(k) - stirling_error(rest) - deviance(k, n * p) -
         deviance(rest, n * (1 - p)) +
         0.5 * (math::log(n) - kLogTwoPi - math::log(k) - math::log(rest));
}

// p <= 1/2, n p < 10
inline double draw_binomial_small(double n, double p, Stream& stream) {
  const double odds = p / (1 - p);
  const double start = math::exp(n * math::log1p(-p));
  for (;;) {
    double u = stream.uniform();
    double mass = start;
    // The mean is below 10: what is left beyond 150 is rounding error; then it draws again.
    for (double k = 0; k <= n && k < 150; ++k) {
      if (u < mass) return k;
      u -= mass;
      mass *= odds * (n - k) / (k + 1);
    }
  }
}

// p <= 1/2, n p >= 10
inline double draw_binomial_large(double n, double p, Stream& stream) {
  const double log_p = math::log(p);
  const double log_q = math::log1p(-p);
  const double spread = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * spread;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = n * p + 0.5;
  const double alpha = (2.83 + 5.1 / b) * spread;
  const double v_r = 0.92 - 4.2 / b;
  // The hat of BTRS stands over the masses relative to the one at the mode.
  const double log_peak = binomial_log_mass(n, p, log_p, log_q, std::floor((n + 1) * p));
  for (;;) {
    const double u = stream.uniform() - 0.5;
    const double v = stream.uniform_open();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || k > n) continue;
    const double log_v = math::log(v * alpha / (a / (us * us) + b));
    if (log_v <= binomial_log_mass(n, p, log_p, log_q, k) - log_peak) return k;
  }
}

inline double draw_binomial(double n, double p, Stream& stream) {
  if (n == 0 || p <= 0) return 0;
  if (p >= 1) return n;
  const double small = p <= 0.5 ? p : 1 - p;
  const double k = n * small < 10 ? draw_binomial_small(n, small, stream)
                                  : draw_binomial_large(n, small, stream);
  return p <= 0.5 ? k : n - k;
}

}  // namespace chancel
