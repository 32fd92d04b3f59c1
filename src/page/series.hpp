// SPDX-License-Identifier: Apache-2.0
// Draws in their order, thinned to what a picture can show: traces, running means, ranks.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "page/histogram.hpp"
#include "report/convergence.hpp"

namespace chancel::page {

// At most `most` points: the smallest and the largest value of each stretch, in their order, so
// that the outline is that of all draws. x counts the draws from 0.
Curve thin_trace(std::span<const double> y, std::size_t most);
// Every k-th draw, for values that are only names.
Curve pick_trace(std::span<const double> y, std::size_t most);

// The mean of the first n draws, for at most `most` values of n. Empty weights: equal.
Curve running_mean(std::span<const double> y, std::span<const double> weights, std::size_t most);

// The parts of a run that should look alike: its chains, or the quarters of a single one.
struct Parts {
  std::vector<std::string> names;
  report::Chains values, weights;  // empty weights: equal
};
Parts parts_of(const report::Chains& values, const report::Chains& weights);

// How the weight of each part falls into `bins` ranges of equal weight of all draws, relative to
// what is expected: all 1 when the parts agree. Equal values share the ranges they cover, so that
// weighted draws and ties need no random choice. Cost: n log n.
std::vector<std::vector<double>> rank_shares(const Parts& parts, std::size_t bins);

}  // namespace chancel::page
