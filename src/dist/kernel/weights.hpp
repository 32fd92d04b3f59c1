// SPDX-License-Identifier: Apache-2.0
// Choosing an index by unnormalised weights, from a table of cumulative weights: scanned when
// short, searched by halving when long. Both give the first index whose cumulative weight exceeds
// the target, so an index of weight zero is never chosen, and a plain running sum over the weights
// gives the same index, bit for bit.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "random/stream.hpp"

namespace chancel {

// Numbers of a table for k weights: total, log total, k cumulative weights, k weights.
struct WeightTable {
  static constexpr std::size_t numbers(std::size_t k) { return 2 + 2 * k; }
  double* at;
  std::size_t k;

  double total() const { return at[0]; }
  double log_total() const { return at[1]; }
  double* cumulative() const { return at + 2; }
  double* weights() const { return at + 2 + k; }

  // After the weights are in place. False when the total is zero or not finite.
  bool finish() const {
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) cumulative()[i] = sum += weights()[i];
    at[0] = sum;
    at[1] = math::log(sum);
    return sum > 0 && std::isfinite(sum);
  }
  std::size_t draw(Stream& stream) const {
    const double target = stream.uniform() * total();
    const double* c = cumulative();
    std::size_t i = 0;
    if (k <= 32) {
      while (i < k && !(target < c[i])) ++i;
    } else {
      i = static_cast<std::size_t>(std::upper_bound(c, c + k, target) - c);
    }
    return i < k ? i : last_possible();
  }
  // Where a target that was rounded up to the total belongs.
  std::size_t last_possible() const {
    std::size_t i = k - 1;
    while (i > 0 && weights()[i] == 0) --i;
    return i;
  }
  double log_prob(std::size_t i) const {
    return i < k && weights()[i] > 0 ? math::log(weights()[i]) - log_total() : kLogZero;
  }
};

}  // namespace chancel
