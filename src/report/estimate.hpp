// SPDX-License-Identifier: Apache-2.0
// From one column to one row of the summary: moments, quantiles or probabilities, with their
// errors.
//
// Errors. Equally weighted draws of chains: MCSE = sd / sqrt(ESS) with the ESS of Vehtari et al.
// for the mean (for a probability: for its indicator). Weighted draws: the delta method for sum w x
// / sum w gives
//     MCSE^2 = sum z^2 / (sum w)^2,   z = w (x - m),
// and ESS = (sum w)^2 / sum w^2. Draws of one sweep of a particle engine share ancestors and so are
// not independent: when sweeps give several draws, ESS is multiplied, and MCSE^2 divided, by min(1,
// ESS(z) / n), where ESS(z) is the autocorrelation estimate for the series z in the order of the
// draws (clones lie side by side). R-hat of weighted draws uses weighted ranks, and weighted means
// and variances of the halves of chains.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "chancel/summary.hpp"
#include "report/column.hpp"

namespace chancel::report {

// What all columns share: the draws' weights and the chains they belong to.
struct DrawFrame {
  std::vector<double> log_weights;
  struct Stretch {  // neighbouring draws of one chain
    std::uint32_t chain;
    std::size_t rows;
  };
  std::vector<Stretch> stretches;
  std::uint64_t sweeps = 0;

  // Worked out once all draws are there.
  std::vector<double> weights;  // relative; empty = equal
  std::vector<std::vector<std::size_t>> rows_of_chain;
  void settle();
  bool sweeps_have_many() const { return sweeps < log_weights.size(); }
};

Estimate estimate(const Column& column, bool structures, const DrawFrame& frame);

}  // namespace chancel::report
