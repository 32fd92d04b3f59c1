// SPDX-License-Identifier: Apache-2.0
// Moments and quantiles of weighted draws. Weights are relative to the largest (exp(log_weight -
// max)), so nothing overflows; a weight of zero is allowed. Equally weighted draws get the usual
// estimates (divisor n - 1, quantiles by linear interpolation, R's type 7); unequal weights get
//
//   mean       m = sum w x / sum w
//   variance   sum w (x - m)^2 / (sum w - sum w^2 / sum w)   (unbiased when w does not depend on x)
//   quantile   the smallest x with sum of w up to x >= p sum w
//   ESS        (sum w)^2 / sum w^2                           (Kish)
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "report/number_sort.hpp"

namespace chancel::report {

// exp(log_weight - max), all zero when every weight is zero.
std::vector<double> relative_weights(std::span<const double> log_weights);
// No two weights differ by more than rounding, and none is zero.
bool are_equal(std::span<const double> log_weights);

struct Moments {
  double mean = 0;
  double variance = 0;
  double population_variance = 0;  // of the draws themselves: sum w (x - m)^2 / sum w
};
Moments moments(std::span<const double> x, std::span<const double> w);  // empty w = equal weights

// Quantiles of `size` sorted values, R's type 7; at(i) is the i-th.
template <class At>
double quantile_of(std::size_t size, double p, const At& at) {
  if (size == 0) return std::numeric_limits<double>::quiet_NaN();
  const double place = p * static_cast<double>(size - 1);
  // The same guard against rounding as R: 4 epsilon.
  const double floor = std::floor(place + 4 * std::numeric_limits<double>::epsilon());
  const auto i = static_cast<std::size_t>(floor);
  const double share = place - floor;
  if (i + 1 >= size || share < 1e-15 || at(i) == at(i + 1)) return at(i < size ? i : size - 1);
  return at(i) * (1 - share) + at(i + 1) * share;
}
double sorted_quantile(std::span<const double> sorted, double p);

// Values sorted once, asked several times.
class Quantiles {
 public:
  Quantiles(std::span<const double> x, std::span<const double> w);  // empty w = equal weights
  explicit Quantiles(const std::vector<Ranked>& order);             // equal weights
  double at(double p) const;
  // 1.4826 times the median distance from the median: the standard deviation of a normal.
  double mad() const;

 private:
  std::vector<double> sorted_;
  std::vector<double> weight_;      // of sorted_; empty = equal
  std::vector<double> cumulative_;  // of weight_
};

double kish_ess(std::span<const double> w);

}  // namespace chancel::report
