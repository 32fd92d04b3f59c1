// SPDX-License-Identifier: Apache-2.0
#include "infer/waste_free.hpp"

#include <algorithm>

namespace chancel {

namespace {

constexpr std::size_t kLag = 4;  // temperatures

struct Total {
  double variance = 0;
  double freedom = 0;  // of it
};

// Sum over the blocks of generation `from` of the square of what they and their descendants, up to
// generation `to`, add to the error.
Total spread(const std::vector<std::vector<double>>& shares,
             const std::vector<BlockGeneration>& generations, std::size_t from, std::size_t to) {
  std::vector<double> sums = shares[to];
  for (std::size_t t = to; t > from; --t) {
    std::vector<double> before = shares[t - 1];
    for (std::size_t b = 0; b < sums.size(); ++b) before[generations[t].parents[b]] += sums[b];
    sums.swap(before);
  }
  double squares = 0;
  for (const double s : sums) squares += s * s;
  const auto blocks = static_cast<double>(sums.size());
  return {squares * blocks / (blocks - 1), blocks - 1};
}

}  // namespace

SweepError waste_free_error(const std::vector<BlockGeneration>& generations) {
  std::vector<std::vector<double>> shares;
  for (const BlockGeneration& g : generations) {
    double sum = 0;
    for (const double w : g.weights) sum += w;
    const auto blocks = static_cast<double>(g.weights.size());
    std::vector<double>& share = shares.emplace_back();
    for (const double w : g.weights) share.push_back(w / sum - 1 / blocks);
  }
  double followed = 0, alone = 0, uncertain = 0;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    const std::size_t end = std::min(s + kLag, shares.size() - 1);
    const Total own = spread(shares, generations, s, s);
    alone += own.variance;
    followed += spread(shares, generations, s, end).variance;
    if (s < end) followed -= spread(shares, generations, s + 1, end).variance;
    uncertain += own.variance * own.variance / own.freedom;
  }
  // Following blocks makes the estimate noisier, about as if they were so many fewer; what is far below
  // that of independent temperatures is noise.
  constexpr double kNoise = 2 * kLag + 1, kLeast = 0.7;
  return {
      std::max(followed, kLeast * alone),
      uncertain > 0 ? 1 + alone * alone / uncertain / (shares.size() > 1 ? kNoise : 1) : INFINITY};
}

}  // namespace chancel
