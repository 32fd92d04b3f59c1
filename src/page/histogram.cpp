// SPDX-License-Identifier: Apache-2.0
#include "page/histogram.hpp"

#include <algorithm>
#include <cmath>

#include "report/weighted.hpp"

namespace chancel::page {
namespace {

constexpr std::size_t kMinBins = 8, kMaxBins = 80;
constexpr std::size_t kSpikeBins = 41;  // of a constant, which falls into the middle one
constexpr std::size_t kGrid = 512;      // cells into which draws are put before they are smoothed
constexpr std::size_t kLeastForDensity = 10;

// What is finite, with its weights relative to the sum of all.
struct Sample {
  std::vector<double> x, w;
  double below = 0, above = 0;
  double size = 0;  // effective
};

Sample finite_part(std::span<const double> x, std::span<const double> weights) {
  Sample s;
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) total += weights.empty() ? 1 : weights[i];
  if (!(total > 0)) return s;
  s.x.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = (weights.empty() ? 1 : weights[i]) / total;
    if (std::isfinite(x[i])) {
      if (w == 0) continue;
      s.x.push_back(x[i]);
      s.w.push_back(w);
    } else {
      (x[i] < 0 ? s.below : s.above) += w;
    }
  }
  s.size = s.x.empty() ? 0 : report::kish_ess(s.w);
  return s;
}

struct Range {
  double low, high;                // shown
  double least, most;              // of all values
  double quarter, three_quarters;  // quantiles
};

Range range_of(const Sample& s) {
  const report::Quantiles quantiles(s.x, s.w);
  const auto [least, most] = std::minmax_element(s.x.begin(), s.x.end());
  Range r{*least, *most, *least, *most, quantiles.at(0.25), quantiles.at(0.75)};
  const double low = quantiles.at(0.02), high = quantiles.at(0.98);
  const double body = high - low;
  // Tails that would squeeze the body into less than a quarter of the picture are cut.
  if (body > 0 && r.high - r.low > 4 * body) {
    r.low = std::max(r.low, low - 0.75 * body);
    r.high = std::min(r.high, high + 0.75 * body);
  }
  return r;
}

}  // namespace

Histogram histogram(std::span<const double> x, std::span<const double> weights, bool integers,
                    double effective) {
  Histogram h;
  Sample s = finite_part(x, weights);
  if (effective >= 1) s.size = std::min(s.size, effective);
  h.below = s.below;
  h.above = s.above;
  if (s.x.empty()) return h;
  const Range r = range_of(s);
  h.low = r.low;
  h.high = r.high;
  std::size_t bins = 1;
  const double width = 2 * (r.three_quarters - r.quarter) / std::cbrt(std::max(1.0, s.size));
  if (integers) {
    h.low = std::floor(h.low) - 0.5;
    const double step = std::max(1.0, std::ceil((r.high - r.low + 1) / kMaxBins));
    bins = static_cast<std::size_t>(std::ceil((std::ceil(r.high) + 0.5 - h.low) / step));
    h.high = h.low + step * static_cast<double>(bins);
  } else if (r.high > r.low) {
    const double wanted = width > 0 ? (r.high - r.low) / width : kMinBins;
    bins =
        static_cast<std::size_t>(std::clamp(std::ceil(wanted), double{kMinBins}, double{kMaxBins}));
  } else {
    const double half = std::max(std::fabs(r.low) * 1e-3, 0.5);
    h.low -= half;
    h.high += half;
    bins = kSpikeBins;
  }
  h.mass.assign(bins, 0);
  const double scale = static_cast<double>(bins) / (h.high - h.low);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (s.x[i] < h.low) {
      h.below += s.w[i];
    } else if (s.x[i] > h.high) {
      h.above += s.w[i];
    } else {
      const auto bin = static_cast<std::size_t>((s.x[i] - h.low) * scale);
      h.mass[std::min(bin, bins - 1)] += s.w[i];
    }
  }
  return h;
}

Curve density(std::span<const double> x, std::span<const double> weights, double effective,
              bool beyond) {
  Curve curve;
  Sample s = finite_part(x, weights);
  if (effective >= 1) s.size = std::min(s.size, effective);
  if (s.x.size() < kLeastForDensity) return curve;
  Range r = range_of(s);
  const double sd = std::sqrt(report::moments(s.x, s.w).variance);
  const double by_quartiles = (r.three_quarters - r.quarter) / 1.349;
  const double spread = by_quartiles > 0 ? std::min(sd, by_quartiles) : sd;
  if (!(spread > 0) || !(r.high > r.low)) return curve;
  const double bandwidth = 0.9 * spread * std::pow(std::max(2.0, s.size), -0.2);
  if (beyond) {
    r.low -= 3 * bandwidth;
    r.high += 3 * bandwidth;
  }

  const double cell = (r.high - r.low) / kGrid;
  std::vector<double> grid(kGrid, 0);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (s.x[i] < r.low || s.x[i] > r.high) continue;
    grid[std::min(static_cast<std::size_t>((s.x[i] - r.low) / cell), kGrid - 1)] += s.w[i];
  }
  // Kernel in cells; beyond four bandwidths nothing is seen.
  const double h = std::max(bandwidth / cell, 0.5);
  const int reach = static_cast<int>(std::ceil(4 * h));
  std::vector<double> kernel(static_cast<std::size_t>(reach) + 1);
  double sum = 0;
  for (int k = 0; k <= reach; ++k) {
    kernel[static_cast<std::size_t>(k)] = std::exp(-0.5 * (k / h) * (k / h));
    sum += (k == 0 ? 1 : 2) * kernel[static_cast<std::size_t>(k)];
  }
  const bool reflect_low = r.low == r.least, reflect_high = r.high == r.most;
  const int last = static_cast<int>(kGrid) - 1;
  curve.x.resize(kGrid);
  curve.y.assign(kGrid, 0);
  for (int i = 0; i <= last; ++i) {
    curve.x[static_cast<std::size_t>(i)] = r.low + cell * (i + 0.5);
    const double mass = grid[static_cast<std::size_t>(i)];
    if (mass == 0) continue;
    for (int k = -reach; k <= reach; ++k) {
      int to = i + k;
      if (to < 0 && reflect_low) to = -1 - to;
      if (to > last && reflect_high) to = 2 * last + 1 - to;
      if (to < 0 || to > last) continue;
      curve.y[static_cast<std::size_t>(to)] +=
          mass * kernel[static_cast<std::size_t>(std::abs(k))] / sum / cell;
    }
  }
  return curve;
}

}  // namespace chancel::page
