// SPDX-License-Identifier: Apache-2.0
#include "math/pareto_smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "math/elementary.hpp"
#include "math/log_space.hpp"

namespace chancel {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The shape that is most likely given theta = -shape / scale.
double shape_given(double theta, std::span<const double> x) {
  double sum = 0;
  for (double v : x) sum += math::log1p(-theta * v);
  return sum / static_cast<double>(x.size());
}

double pareto_quantile(double p, const ParetoFit& fit) {
  const double e = -math::log1p(-p);  // of the standard exponential distribution
  return fit.shape == 0 ? fit.scale * e : fit.scale * math::expm1(fit.shape * e) / fit.shape;
}

}  // namespace

ParetoFit fit_pareto(std::span<const double> ascending) {
  const double n = static_cast<double>(ascending.size());
  const double points = 30 + std::floor(std::sqrt(n));
  const auto quarter = static_cast<std::size_t>(std::floor(n / 4 + 0.5));
  const double quartile = ascending[quarter > 0 ? quarter - 1 : 0], largest = ascending.back();
  // The mean of theta under its profile likelihood, on a grid of prior quantiles.
  std::vector<double> thetas, logs;
  for (double j = 0.5; j < points; ++j) {
    const double theta = 1 / largest + (1 - std::sqrt(points / j)) / 3 / quartile;
    const double k = shape_given(theta, ascending);
    thetas.push_back(theta);
    logs.push_back(n * (math::log(-theta / k) - k - 1));
  }
  const double total = log_sum_exp(logs);
  double theta = 0;
  for (std::size_t j = 0; j < thetas.size(); ++j) theta += thetas[j] * math::exp(logs[j] - total);
  const double k = shape_given(theta, ascending);
  const double shape = (k * n + 0.5 * 10) / (n + 10);
  return {std::isnan(shape) ? kInfinity : shape, -k / theta};
}

std::size_t pareto_tail_length(std::size_t n, double relative_efficiency) {
  const double size = static_cast<double>(n);
  return static_cast<std::size_t>(
      std::ceil(std::min(0.2 * size, 3 * std::sqrt(size / relative_efficiency))));
}

double smooth_pareto_tail(std::span<double> log_ratios, double relative_efficiency) {
  const std::size_t n = log_ratios.size(), tail = pareto_tail_length(n, relative_efficiency);
  if (tail < 5) return kInfinity;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto by_ratio = [&](std::size_t a, std::size_t b) { return log_ratios[a] < log_ratios[b]; };
  const auto first = order.end() - static_cast<std::ptrdiff_t>(tail);
  std::nth_element(order.begin(), first - 1, order.end(), by_ratio);  // first - 1: the cutoff
  std::sort(first, order.end(), by_ratio);
  const double largest = log_ratios[order.back()];
  // A spread at the level of rounding, as an exact approximation has, is not a tail.
  if (!std::isfinite(largest)) return kInfinity;
  if (largest - log_ratios[*first] < 1e-12 * std::max(1.0, std::fabs(largest))) return -kInfinity;

  const double cutoff = math::exp(log_ratios[*(first - 1)] - largest);
  std::vector<double> excess;
  for (auto i = first; i != order.end(); ++i)
    excess.push_back(math::exp(log_ratios[*i] - largest) - cutoff);
  const ParetoFit fit = fit_pareto(excess);
  if (!std::isfinite(fit.shape) || !(fit.scale > 0)) return kInfinity;
  for (std::size_t i = 0; i < tail; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(tail);
    const double smoothed = math::log(pareto_quantile(p, fit) + cutoff);
    log_ratios[*(first + static_cast<std::ptrdiff_t>(i))] = largest + std::min(0.0, smoothed);
  }
  return fit.shape;
}

double pareto_shape(std::span<const double> log_ratios) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t kFewest = 5;
  const std::size_t tail = pareto_tail_length(log_ratios.size());
  if (tail < kFewest) return kNone;
  std::vector<double> logs(log_ratios.begin(), log_ratios.end());
  const auto first = logs.end() - static_cast<std::ptrdiff_t>(tail);
  std::nth_element(logs.begin(), first - 1, logs.end());
  std::sort(first, logs.end());
  const double largest = logs.back();
  const auto same = [&](double log) {
    return largest - log < 1e-12 * std::max(1.0, std::fabs(largest));
  };
  if (!std::isfinite(largest) || same(*first)) return kNone;

  const double cutoff = math::exp(*(first - 1) - largest);
  std::vector<double> excess;
  double sum = 0;
  for (auto i = logs.begin(); i != first; ++i) sum += math::exp(*i - largest);
  double above = 0;
  for (auto i = first; i != logs.end(); ++i) {
    const double ratio = math::exp(*i - largest);
    sum += ratio;
    if (!(ratio > cutoff)) continue;
    excess.push_back(ratio - cutoff);
    above += ratio;
  }
  if (excess.size() < kFewest) return above > 0.5 * sum ? kInfinity : kNone;
  if (same(logs[logs.size() - excess.size()])) return kNone;
  return fit_pareto(excess).shape;
}

double largest_usable_shape(std::size_t n) {
  return std::min(0.7, 1 - 1 / std::log10(static_cast<double>(std::max<std::size_t>(n, 2))));
}

}  // namespace chancel
