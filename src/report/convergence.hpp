// SPDX-License-Identifier: Apache-2.0
// How far draws of chains can be trusted: R-hat, bulk and tail effective sample sizes, the error of
// a mean. The definitions are those of Vehtari, Gelman, Simpson, Carpenter and Buerkner,
// "Rank-normalization, folding, and localization", Bayesian Analysis 16 (2021), as the R package
// posterior computes them. All take equally weighted draws, one vector a chain, chains of equal
// length; a result that is not defined (too few draws, a constant, a value that is not finite) is
// NaN. Cost: linear, for
// draws that are nearly independent.
#pragma once
#include <vector>

#include "report/number_sort.hpp"

namespace chancel::report {

using Chains = std::vector<std::vector<double>>;

// Each chain cut into halves (the middle draw of an odd length is left out).
Chains split_chains(const Chains& chains);
// Ranks over all chains (ties share their mean rank) as normal scores: quantile((rank - 3/8) / (n +
// 1/4)).
Chains rank_normalise(const Chains& chains);

// Geyer's initial monotone sequence estimate over the chains as they are given.
double effective_size(const Chains& chains);

struct ChainStatistics {
  double r_hat, ess_bulk, ess_tail;
};
// All three from one sort. Without `sizes` only r_hat; `order`: the draws of all chains one after
// the other, sorted already. Up to two threads; the same bits for any number.
ChainStatistics chain_statistics(const Chains& chains, bool sizes = true, unsigned threads = 1,
                                 const std::vector<Ranked>* order = nullptr);

double r_hat(const Chains& chains);     // rank-normalised, split, the larger of bulk and folded
double ess_mean(const Chains& chains);  // split
double ess_bulk(const Chains& chains);  // rank-normalised, split
double ess_tail(const Chains& chains);  // the smaller of those of the 5 % and 95 % quantiles

}  // namespace chancel::report
