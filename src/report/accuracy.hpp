// SPDX-License-Identifier: Apache-2.0
// How far the mean of a column can be off. Equally weighted draws of chains: MCSE = sd / sqrt(ESS),
// with the ESS of Vehtari et al. for the mean (for a probability: for its indicator). Weighted
// draws: the delta method for sum w x / sum w gives
//     MCSE^2 = sum z^2 / (sum w)^2,   z = w (x - m),   and ESS = (sum w)^2 / sum w^2,
// where MCSE is never below sd / sqrt(ESS).
// Draws of one sweep of a particle engine share ancestors and so are not independent. When sweeps
// give several draws, ESS is multiplied, and MCSE^2 divided, by the smallest of
// - 1,
// - ESS(z) / n: autocorrelation in the order of the draws, where copies of a particle are adjacent;
//   not from kBlockSweeps sweeps per chain on,
// - (ESS(Z) / S) sum z^2 / sum Z^2, where Z are the sums of z over the S sweeps, from 10 sweeps on:
//   what a whole sweep has in common; ESS(Z) = S below 20 sweeps.
// R-hat of weighted draws uses weighted ranks, and weighted means and variances of the halves of
// chains.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "report/column.hpp"
#include "report/convergence.hpp"
#include "report/weighted.hpp"

namespace chancel::report {

// What all columns share: the draws' weights, and the chains and sweeps they belong to.
struct DrawFrame {
  std::vector<double> log_weights;
  struct Stretch {  // neighbouring draws of one chain
    std::uint32_t chain;
    std::size_t rows;
  };
  std::vector<Stretch> stretches;
  std::vector<std::uint32_t> sweep_rows;  // draws of each sweep, in order
  bool enumerated = false;                // draws are executions with their probabilities
  unsigned threads = 1;                   // that one column may use

  // Worked out once all draws are there.
  std::vector<double> weights;                // relative; empty = equal
  std::vector<std::size_t> chain_rows;        // draws of each chain, in the order of their numbers
  std::vector<std::uint32_t> stretch_chains;  // which of them each stretch belongs to
  std::vector<std::uint32_t> sweep_of_row;    // empty when every sweep has one draw
  // Sweeps give several draws each, and every chain has at least kBlockSweeps sweeps, enough to
  // estimate the error from their sums: the particles of a sweep are one block. Then also the chain
  // of each sweep, and the draws in segments that lie in one sweep and one half of a chain.
  static constexpr std::size_t kBlockSweeps = 100;
  bool blocks = false;
  std::vector<std::uint32_t> sweep_chains;
  static constexpr std::uint32_t kNoHalf = 0xFFFFFFFF;
  struct Segment {
    std::size_t end;  // row after the last
    std::uint32_t sweep, half;
  };
  std::vector<Segment> segments;
  void index();
  void drop_index();  // gives that memory back

 private:
  void find_segments();
};

// The draws in which a column has a value, by chain. At 5 million draws a vector is 40 MB, so what
// is not needed is not made.
struct Present {
  Chains values;                                   // numbers, or entries of the dictionary
  Chains weights;                                  // empty = equal
  std::vector<std::vector<std::uint32_t>> sweeps;  // empty when every sweep has one draw
  double share = 1;                                // of all weight
  bool blocks = false;                             // DrawFrame::blocks
  unsigned threads = 1;
  bool has_r_hat = false;
  bool enumerated = false;
};
Present present_draws(const Column& column, const DrawFrame& frame);

// All chains one after the other: the only chain itself, or a copy in `storage`.
std::span<const double> flat(const Chains& chains, std::vector<double>& storage);
// Cut to the shortest, as diagnostics want them: the chains themselves where they are even.
const Chains& even(const Chains& chains, Chains& storage);

// The part of the factor above that comes from the sums over sweeps, by chain; `squares` = sum z^2.
double block_independence(const Chains& sums, double squares);
// The factor above, for values x with the given mean.
double independence(const Chains& x, const Present& present, double centre);
double mean_error(const Chains& x, const Present& present, const Moments& moments);

// Normal scores of weighted mid-ranks, and R-hat of them.
Chains weighted_scores(const Chains& x, const Chains& weights);
double weighted_r_hat(const Chains& scores, const Chains& weights);

}  // namespace chancel::report
