// SPDX-License-Identifier: Apache-2.0
#include "report/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "report/number_sort.hpp"

namespace chancel::report {

std::vector<double> relative_weights(std::span<const double> log_weights) {
  double high = -std::numeric_limits<double>::infinity();
  for (double l : log_weights) high = std::max(high, l);
  std::vector<double> w(log_weights.size(), 0.0);
  if (std::isinf(high)) return w;
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = std::exp(log_weights[i] - high);
  return w;
}

bool are_equal(std::span<const double> log_weights) {
  if (log_weights.empty()) return true;
  const auto [low, high] = std::minmax_element(log_weights.begin(), log_weights.end());
  return std::isfinite(*low) && std::isfinite(*high) && *high - *low < 1e-9;
}

Moments moments(std::span<const double> x, std::span<const double> w) {
  double total = 0;
  double squares = 0;
  double mean = 0;
  // Sums are of distances from the first finite value, so that the mean of a constant is that
  // constant.
  double origin = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if ((w.empty() || w[i] != 0) && std::isfinite(x[i])) {
      origin = x[i];
      break;
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = w.empty() ? 1.0 : w[i];
    if (weight == 0) continue;  // 0 * inf must not count
    total += weight;
    squares += weight * weight;
    mean += weight * (x[i] - origin);
  }
  mean = origin + mean / total;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = w.empty() ? 1.0 : w[i];
    if (weight != 0) sum += weight * (x[i] - mean) * (x[i] - mean);
  }
  const double divisor = total - squares / total;
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  return {mean, divisor > 1e-12 * total ? sum / divisor : undefined, sum / total};
}

double sorted_quantile(std::span<const double> sorted, double p) {
  return quantile_of(sorted.size(), p, [&](std::size_t i) { return sorted[i]; });
}

Quantiles::Quantiles(const std::vector<Ranked>& order) {
  sorted_.reserve(order.size());
  for (const Ranked& item : order) sorted_.push_back(item.value);
}

Quantiles::Quantiles(std::span<const double> x, std::span<const double> w) {
  if (w.empty()) {
    sorted_.assign(x.begin(), x.end());
    sort_numbers(sorted_);
    return;
  }
  sorted_.reserve(x.size());
  weight_.reserve(x.size());
  cumulative_.reserve(x.size());
  double sum = 0;
  for (const Ranked& item : ranked(x)) {
    if (!(w[item.row] > 0)) continue;
    sorted_.push_back(item.value);
    weight_.push_back(w[item.row]);
    cumulative_.push_back(sum += w[item.row]);
  }
}

double Quantiles::at(double p) const {
  if (cumulative_.empty()) return sorted_quantile(sorted_, p);
  // A sum that equals p up to rounding has reached it.
  const double goal = p * cumulative_.back() * (1 - 1e-12);
  const auto it = std::lower_bound(cumulative_.begin(), cumulative_.end(), goal);
  return sorted_[std::min(static_cast<std::size_t>(it - cumulative_.begin()), sorted_.size() - 1)];
}

double Quantiles::mad() const {
  const double median = at(0.5);
  if (weight_.empty()) {
    // Distances rise on both sides of the median: two sorted runs, whose smallest `rank` elements
    // are found by halving.
    const std::size_t n = sorted_.size();
    const std::size_t below = static_cast<std::size_t>(
        std::lower_bound(sorted_.begin(), sorted_.end(), median) - sorted_.begin());
    const auto left = [&](std::size_t i) { return std::fabs(sorted_[below - 1 - i] - median); };
    const auto right = [&](std::size_t i) { return std::fabs(sorted_[below + i] - median); };
    const auto distance = [&](std::size_t rank) {
      std::size_t low = rank > n - below ? rank - (n - below) : 0;  // of the left run
      std::size_t high = std::min(rank, below);
      while (low < high) {
        const std::size_t i = (low + high) / 2;
        if (right(rank - i - 1) > left(i))
          low = i + 1;
        else
          high = i;
      }
      if (low == below) return right(rank - low);
      if (rank - low == n - below) return left(low);
      return std::min(left(low), right(rank - low));
    };
    return 1.4826 * quantile_of(n, 0.5, distance);
  }
  std::vector<double> distance;
  distance.reserve(sorted_.size());
  for (double x : sorted_) distance.push_back(std::fabs(x - median));
  return 1.4826 * Quantiles(distance, weight_).at(0.5);
}

double kish_ess(std::span<const double> w) {
  double sum = 0;
  double squares = 0;
  for (double x : w) {
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

}  // namespace chancel::report
