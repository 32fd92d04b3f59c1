// SPDX-License-Identifier: Apache-2.0
// See evidence.hpp.
#include "infer/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace chancel {

void LogMoments::add(double log_value) {
  ++count_;
  if (log_value == kLogZero) return;
  if (log_value > high_) {
    const double down = high_ == kLogZero ? 0 : std::exp(high_ - log_value);
    sum_ *= down;
    squares_ *= down * down;
    high_ = log_value;
  }
  const double x = std::exp(log_value - high_);
  sum_ += x;
  squares_ += x * x;
}

double LogMoments::log_mean() const {
  return sum_ > 0 ? high_ + std::log(sum_ / static_cast<double>(count_)) : kLogZero;
}

double LogMoments::log_mean_se() const {
  if (count_ < 2 || !(sum_ > 0)) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(count_);
  const double mean = sum_ / n;
  const double variance = std::max(0.0, (squares_ - n * mean * mean) / (n - 1));
  return std::sqrt(variance / n) / mean;
}

double genealogy_variance(std::span<const std::uint32_t> roots, std::span<const double> weights,
                          double sum, std::uint64_t resamplings, std::vector<double>& scratch) {
  const std::size_t n = roots.size();
  if (n < 2 || !(sum > 0)) return std::numeric_limits<double>::quiet_NaN();
  scratch.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) scratch[roots[i]] += weights[i] / sum;
  double same = 0;  // weight of pairs with the same first ancestor
  for (const double family : scratch) same += family * family;
  const auto particles = static_cast<double>(n);
  const double grow = std::exp(static_cast<double>(resamplings + 1) * -std::log1p(-1 / particles));
  // One family that holds most of the weight, or an estimate below zero: the tree says nothing.
  const double estimate = 1 - grow * (1 - same);
  constexpr double kRounding = 1e-9;
  if (same > 0.5 || estimate < -kRounding) return std::numeric_limits<double>::quiet_NaN();
  return std::max(0.0, estimate);
}

}  // namespace chancel
