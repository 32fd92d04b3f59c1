// SPDX-License-Identifier: Apache-2.0
// See evidence.hpp.
#include "infer/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/elementary.hpp"

namespace chancel {

namespace {
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// Values that lie this far apart (standard deviation of their logarithms) give an error only when
// at least kMany of them carry the mean.
constexpr double kFarApart = 1.5;
constexpr double kMany = 30;
}  // namespace

double widening(double freedom) {
  // Student's t at 97.5 % by the normal one (Cornish & Fisher), over the normal one.
  constexpr double z = 1.959963984540054;
  constexpr double z2 = z * z;
  const double f = std::max(1.0, freedom);
  return 1 + (z2 + 1) / (4 * f) + ((5 * z2 + 16) * z2 + 3) / (96 * f * f) +
         (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * f * f * f);
}

void LogMoments::add(double log_value) {
  ++count_;
  if (log_value == kLogZero) return;
  if (log_value > high_) {
    const double down = high_ == kLogZero ? 0 : math::exp(high_ - log_value);
    sum_ *= down;
    squares_ *= down * down;
    high_ = log_value;
  }
  const double x = math::exp(log_value - high_);
  sum_ += x;
  squares_ += x * x;
  const double off = log_value - log_average_;
  log_average_ += off / static_cast<double>(++positive_);
  log_squares_ += off * (log_value - log_average_);
}

void LogMoments::add(const LogMoments& others) {
  count_ += others.count_;
  if (others.positive_ == 0) return;
  const double high = std::max(high_, others.high_);
  const double mine = high_ == kLogZero ? 0 : math::exp(high_ - high);
  const double theirs = math::exp(others.high_ - high);
  sum_ = sum_ * mine + others.sum_ * theirs;
  squares_ = squares_ * mine * mine + others.squares_ * theirs * theirs;
  high_ = high;
  const auto a = static_cast<double>(positive_), b = static_cast<double>(others.positive_);
  const double off = others.log_average_ - log_average_;
  log_average_ += off * b / (a + b);
  log_squares_ += others.log_squares_ + off * off * a * b / (a + b);
  positive_ += others.positive_;
}

double LogMoments::log_mean() const {
  return sum_ > 0 ? high_ + math::log(sum_ / static_cast<double>(count_)) : kLogZero;
}

double LogMoments::log_spread() const {
  return positive_ < 2 ? 0 : std::sqrt(log_squares_ / static_cast<double>(positive_ - 1));
}

double LogMoments::log_mean_se() const {
  if (count_ < 2 || !(sum_ > 0)) return kUnknown;
  const auto n = static_cast<double>(count_);
  const double mean = sum_ / n;
  const double variance = std::max(0.0, (squares_ - n * mean * mean) / (n - 1));
  constexpr double kRounding = 1e-12;
  if (variance <= kRounding * mean * mean) return std::sqrt(variance / n) / mean;
  const double carriers = sum_ * sum_ / squares_;  // values that carry the mean
  if (carriers < 2 || (carriers < kMany && log_spread() > kFarApart)) return kUnknown;
  return widening(carriers - 1) * std::sqrt(variance / n) / mean;
}

void RunEvidence::add(double log_value, std::uint64_t draws, bool fragile) {
  if (closed_) return;
  const bool alive = log_value != kLogZero;
  fragile_ = fragile_ || fragile || !alive;
  given_ += draws;
  if (alive) ++alive_;
  if (alive && wanted_ > 0 && given_ >= wanted_) {
    closed_ = !fragile_ || alive_ >= 2;
    if (fragile_ && closed_) return;  // the one that ends the run
  }
  values_.add(log_value);
}

double SweepError::log_evidence_se() const { return widening(families - 1) * std::sqrt(variance); }

SweepError genealogy_error(std::span<const std::uint32_t> roots, std::span<const double> weights,
                           double sum, std::uint64_t resamplings, std::vector<double>& scratch) {
  const std::size_t n = roots.size();
  if (n < 2 || !(sum > 0)) return {kUnknown, 1};
  scratch.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) scratch[roots[i]] += weights[i] / sum;
  double same = 0;  // weight of pairs with the same first ancestor
  for (const double family : scratch) same += family * family;
  const auto particles = static_cast<double>(n);
  const double grow =
      math::exp(static_cast<double>(resamplings + 1) * -math::log1p(-1 / particles));
  // One family that holds most of the weight, or an estimate below zero: the tree says nothing.
  const double estimate = 1 - grow * (1 - same);
  constexpr double kRounding = 1e-9;
  if (same > 0.5 || estimate < -kRounding) return {kUnknown, 1 / same};
  return {std::max(0.0, estimate), 1 / same};
}

}  // namespace chancel
