// SPDX-License-Identifier: Apache-2.0
// Small samplers with rules that have shipped in probabilistic programming systems and are wrong,
// each for the smallest model that shows it. They exist to be compared with; the engines of Chancel
// share nothing with them. Each gives its estimate of the quantity named.
#pragma once
#include <cstddef>

#include "paper/random.hpp"

namespace chancel::paper {

// P(s) of two-state by particle Gibbs, wrongly; exact 1/2.
enum class GibbsMistake { LoseRetained, ProtectedSystematic };
double wrong_particle_gibbs(GibbsMistake mistake, std::size_t particles, std::size_t sweeps,
                            Random& random);
// P(s) of two-state by iPMCMC with two nodes of two particles, the conditional node's index drawn
// without regard to the evidence; exact 1/2.
double wrong_node_index(std::size_t sweeps, Random& random);
// E[x] of gaussian-chain by a random walk that keeps the kernel's density as the prior's; exact 1.
double wrong_walk(std::size_t steps, Random& random);
// E[mu] of marsaglia by annealed importance sampling whose moves leave out the prior; exact 7.25.
double wrong_annealing(std::size_t runs, Random& random);
// P(clusters <= 3) of dp-mixture by RDB that scores a label which cannot come next as a new table.
double wrong_tables(std::size_t steps, Random& random);
// P(here) of conditional's inner query by one draw of a fresh sampler with two particles; exact
// 9/13.
double wrong_conditional(std::size_t draws, Random& random);
// E[r] of branching from particles whose last weights are dropped.
double wrong_unweighted(std::size_t draws, Random& random);

}  // namespace chancel::paper
