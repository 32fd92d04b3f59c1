// SPDX-License-Identifier: Apache-2.0
#include "paper/exact_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace chancel::paper {
namespace {

// E[q log(q / p)] for q = Binomial(n, p) / n. Terms further than 9 standard deviations out (plus
// 40, for the Poisson-like tail of rare values) are below 1e-15 of the sum.
double expected_term(double n, double p) {
  if (p <= 0 || p >= 1) return 0;
  const double mean = n * p, spread = 9 * std::sqrt(mean * (1 - p)) + 40;
  // Large counts: second-order expansion, whose error is of order 1/mean^2.
  if (mean * (1 - p) > 1e5) return (1 - p) / (2 * n);
  const auto first = static_cast<long long>(std::max(1.0, std::floor(mean - spread)));
  const auto last = static_cast<long long>(std::min(n, std::ceil(mean + spread)));
  int sign = 0;
  double sum = 0;
  for (long long k = first; k <= last; ++k) {
    const auto x = static_cast<double>(k);
    const double log_pmf = lgamma_r(n + 1, &sign) - lgamma_r(x + 1, &sign) -
                           lgamma_r(n - x + 1, &sign) + x * std::log(p) + (n - x) * std::log1p(-p);
    sum += std::exp(log_pmf) * x / n * std::log(x / mean);
  }
  return sum;
}

}  // namespace

double expected_distance(const Law& law, double draws) {
  if (law.normal) {
    const double root = std::sqrt(draws);
    return std::sqrt(std::numbers::pi / 2) * std::numbers::ln2 / (root + 0.12 + 0.11 / root);
  }
  double sum = 0;
  for (const auto& row : law.rows)
    for (const double p : row) sum += expected_term(draws, p);
  return sum;
}

double unlikely_factor(const Law& law) {
  if (law.normal) return 2.23 / 0.8687;  // Kolmogorov's law: P(sqrt n D > 2.23) = 1e-4, mean 0.8687
  // 2n KL is about chi-squared; its quantile after Wilson and Hilferty. Values that hardly occur
  // are not degrees of freedom.
  double freedom = 0;
  for (const auto& row : law.rows)
    freedom += static_cast<double>(
                   std::count_if(row.begin(), row.end(), [](double p) { return p > 1e-4; })) -
               1;
  const double v = 2 / (9 * freedom);
  return std::pow(1 - v + 3.719 * std::sqrt(v), 3);
}

}  // namespace chancel::paper
