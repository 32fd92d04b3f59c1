// SPDX-License-Identifier: Apache-2.0
#include "particles/waste_free_error.hpp"

#include <algorithm>
#include <cmath>

namespace chancel {

namespace {

// Adds what the blocks of each generation have to that of the blocks they start from, from generation `to`
// back to `from`; `own`: what the blocks of generation t before `to` have themselves.
template <class Own>
std::vector<double> gather(const std::vector<BlockGeneration>& generations, std::size_t from,
                           std::size_t to, std::vector<double> sums, Own&& own) {
  for (std::size_t t = to; t > from; --t) {
    std::vector<double> before = own(t - 1);
    for (std::size_t b = 0; b < sums.size(); ++b) before[generations[t].parents[b]] += sums[b];
    sums.swap(before);
  }
  return sums;
}

class Genealogy {
 public:
  explicit Genealogy(const std::vector<BlockGeneration>& generations) : generations_(generations) {
    for (const BlockGeneration& g : generations) {
      double sum = 0;
      for (const double w : g.weights) sum += w;
      const auto blocks = static_cast<double>(g.weights.size());
      std::vector<double>& share = shares_.emplace_back();
      std::vector<double>& off = off_.emplace_back();
      for (const double w : g.weights) {
        share.push_back(w / sum);
        off.push_back(w / sum - 1 / blocks);
      }
    }
  }

  std::size_t size() const { return shares_.size(); }

  struct Estimate {
    double variance = 0, freedom = 0;
  };
  // Blocks are followed for `lag` temperatures.
  Estimate follow(std::size_t lag) const {
    Estimate out;
    double uncertain = 0;
    for (std::size_t s = 0; s < size(); ++s) {
      const std::size_t end = std::min(s + lag, size() - 1);
      const double here = spread(s, end) - (s < end ? spread(s + 1, end) : 0);
      out.variance += here;
      uncertain += here > 0 ? here * here / std::fmax(kLeastFreedom, families(s, end) - 1) : 0;
    }
    // What neighbouring temperatures tell rests on the same families, as far as they are followed.
    out.freedom = uncertain > 0 ? out.variance * out.variance / uncertain / (1.0 + lag) : INFINITY;
    return out;
  }

 private:
  static constexpr double kLeastFreedom = 0.5;

  // Sum over the blocks of generation `from` of the square of what they and their descendants, up to
  // generation `to`, add to the error.
  double spread(std::size_t from, std::size_t to) const {
    const std::vector<double> sums =
        gather(generations_, from, to, off_[to], [&](std::size_t t) { return off_[t]; });
    double squares = 0;
    for (const double s : sums) squares += s * s;
    const auto blocks = static_cast<double>(sums.size());
    return squares * blocks / (blocks - 1);
  }

  // How many blocks of generation `from` carry the weight of generation `to`.
  double families(std::size_t from, std::size_t to) const {
    const std::vector<double> sums =
        gather(generations_, from, to, shares_[to],
               [&](std::size_t t) { return std::vector<double>(shares_[t].size()); });
    double squares = 0;
    for (const double s : sums) squares += s * s;
    return 1 / squares;
  }

  const std::vector<BlockGeneration>& generations_;
  std::vector<std::vector<double>> shares_,
      off_;  // of the weight, and how much more than the average
};

}  // namespace

SweepError waste_free_error(const std::vector<BlockGeneration>& generations) {
  const Genealogy genealogy(generations);
  Genealogy::Estimate estimate = genealogy.follow(0);
  for (std::size_t lag = 1; lag < genealogy.size(); ++lag) {
    const Genealogy::Estimate longer = genealogy.follow(lag);
    if (longer.variance <= estimate.variance) break;
    estimate = longer;
  }
  return {estimate.variance, 1 + estimate.freedom};
}

}  // namespace chancel
