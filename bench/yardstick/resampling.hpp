// SPDX-License-Identifier: Apache-2.0
// The arithmetic that every hand-written particle filter here shares: log-weights to weights
// relative to the largest (one exp a particle), and multinomial resampling in O(N) with uniforms
// made in order by exponential spacings, so that no sort is needed. Ancestors come out in
// increasing order, which keeps the copies local.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "yardstick/stream.hpp"

namespace chancel::yardstick {

// Weights of n particles relative to the largest log-weight; gives log of their mean (the evidence
// factor) and leaves their sum in *total. All log-weights -inf: -inf and a total of 0.
inline double weigh(const double* log_weights, double* weights, std::size_t n, double* total) {
  double largest = -INFINITY;
  for (std::size_t i = 0; i < n; ++i) largest = log_weights[i] > largest ? log_weights[i] : largest;
  *total = 0;
  if (largest == -INFINITY) return -INFINITY;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = std::exp(log_weights[i] - largest);
    sum += weights[i];
  }
  *total = sum;
  return largest + std::log(sum / static_cast<double>(n));
}

// Scratch of resample(): room for n weights and as many draws.
struct ResampleScratch {
  explicit ResampleScratch(std::size_t n) : spacings(n + 1), cumulative(n + 3) {}
  std::vector<double> spacings, cumulative;
};

// `count` ancestors drawn from n weights, in increasing order.
inline void resample(const double* weights, std::size_t n, Stream& stream, ResampleScratch& scratch,
                     std::uint32_t* ancestors, std::size_t count) {
  // Uniforms first, logarithms after: two tight loops are faster than one that mixes them.
  double* spacings = scratch.spacings.data();
  for (std::size_t i = 0; i <= count; ++i) spacings[i] = stream.uniform_open();
  double sum = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    sum -= std::log(spacings[i]);
    spacings[i] = sum;
  }
  // Cumulative weights; the last one and two guards are infinite, so that the search needs no
  // bounds.
  double* cumulative = scratch.cumulative.data();
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) cumulative[j] = total += weights[j];
  for (std::size_t j = n - 1; j < n + 2; ++j) cumulative[j] = INFINITY;
  // Most steps are shorter than three: counted without a branch on the data.
  const double scale = total / sum;
  std::size_t j = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double u = spacings[i] * scale;
    const unsigned forward =
        (cumulative[j] < u) + (cumulative[j + 1] < u) + (cumulative[j + 2] < u);
    j += forward;
    if (forward == 3) {
      while (cumulative[j] < u) ++j;
    }
    ancestors[i] = static_cast<std::uint32_t>(j);
  }
}

// The same with one uniform for all: the i-th ancestor is at (i + u) / count of the cumulative weight.
inline void resample_systematically(const double* weights, std::size_t n, Stream& stream,
                                    std::uint32_t* ancestors, std::size_t count) {
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) total += weights[j];
  const double scale = static_cast<double>(count) / total;
  const double u = stream.uniform();
  // Up to here lie the ancestors of the weights so far; the last weight takes those that are left.
  double sum = 0;
  std::size_t i = 0;
  for (std::size_t j = 0; j + 1 < n; ++j) {
    sum += weights[j];
    const double upto = std::ceil(sum * scale - u);
    const std::size_t end = upto <= 0 ? 0 : std::min(count, static_cast<std::size_t>(upto));
    for (; i < end; ++i) ancestors[i] = static_cast<std::uint32_t>(j);
  }
  for (; i < count; ++i) ancestors[i] = static_cast<std::uint32_t>(n - 1);
}

// Storage that every filter needs, allocated once.
struct Weighting {
  explicit Weighting(std::size_t n) : log_weights(n), weights(n), scratch(n), ancestors(n) {}
  std::vector<double> log_weights, weights;
  ResampleScratch scratch;
  std::vector<std::uint32_t> ancestors;
  double total = 0;

  double weigh_all() { return weigh(log_weights.data(), weights.data(), weights.size(), &total); }
  void resample_all(Stream& stream) {
    resample(weights.data(), weights.size(), stream, scratch, ancestors.data(), ancestors.size());
  }
  void resample_systematically(Stream& stream) {
    yardstick::resample_systematically(weights.data(), weights.size(), stream, ancestors.data(),
                                       ancestors.size());
  }
};

}  // namespace chancel::yardstick
