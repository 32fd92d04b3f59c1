// SPDX-License-Identifier: Apache-2.0
// Sums of probabilities kept as logarithms. -inf is probability zero and is an ordinary input; NaN
// goes through. Each function subtracts the largest term first, so nothing overflows and small
// terms keep their digits.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "math/elementary.hpp"

namespace chancel {

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  const double high = std::max(a, b);
  const double low = std::min(a, b);
  if (std::isinf(high) || low == kLogZero) return high;
  return high + math::log1p(math::exp(low - high));
}

// log(exp(a) - exp(b)) for a >= b; NaN when a < b.
inline double log_subtract(double a, double b) {
  if (b == kLogZero) return a;
  if (a == b) return kLogZero;
  const double d = b - a;
  // log1p(-x) for small x, log(-expm1) near 1: the switch at log 2 keeps both accurate (Maechler
  // 2012).
  return a + (d > -0.6931471805599453 ? math::log(-math::expm1(d)) : math::log1p(-math::exp(d)));
}

// log of the sum of exp over all terms; -inf for no terms. Two passes, no allocation.
inline double log_sum_exp(std::span<const double> terms) {
  double high = kLogZero;
  for (double term : terms) {
    if (std::isnan(term)) return term;
    high = std::max(high, term);
  }
  if (std::isinf(high)) return high;
  double sum = 0;
  for (double term : terms) sum += math::exp(term - high);
  return high + math::log(sum);
}

// log of the mean of exp over all terms: the usual estimate of evidence from log-weights.
inline double log_mean_exp(std::span<const double> terms) {
  return log_sum_exp(terms) - math::log(static_cast<double>(terms.size()));
}

// Probabilities from log-weights: relative to the largest, then divided by the sum, so that equal
// weights give exactly equal probabilities.
inline void softmax(std::span<const double> log_weights, double* out) {
  double high = kLogZero;
  for (double w : log_weights) high = std::max(high, w);
  double total = 0;
  for (std::size_t i = 0; i < log_weights.size(); ++i) {
    const double w = log_weights[i];
    out[i] = std::isinf(high) ? (w == high && high > 0 ? 1.0 : 0.0) : math::exp(w - high);
    total += out[i];
  }
  for (std::size_t i = 0; i < log_weights.size(); ++i) out[i] /= total;
}

// 1 / (1 + exp(-x)) and its logarithm.
inline double sigmoid(double x) {
  const double e = math::exp(-std::fabs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}
// log1p(e) for e in [0, 1] as the log of a rounded sum and a term for what rounding left out: half the
// time of std::log1p.
inline double log_sigmoid(double x) {
  const double e = math::exp(-std::fabs(x));
  const double sum = 1 + e;
  return (x < 0 ? x : 0) - (math::log(sum) + (e - (sum - 1)) / sum);
}

}  // namespace chancel
