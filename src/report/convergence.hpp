// SPDX-License-Identifier: Apache-2.0
// How far draws of chains can be trusted: R-hat, bulk and tail effective sample sizes, the error of
// a mean. The definitions are those of Vehtari, Gelman, Simpson, Carpenter and Buerkner,
// "Rank-normalization, folding, and localization", Bayesian Analysis 16 (2021), as the R package
// posterior computes them. All take equally weighted draws, one vector a chain, chains of equal
// length; a result that is not defined (too few draws, a constant, a value that is not finite) is
// NaN. Cost: n log n.
#pragma once
#include <vector>

namespace chancel::report {

using Chains = std::vector<std::vector<double>>;

// Each chain cut into halves (the middle draw of an odd length is left out).
Chains split_chains(const Chains& chains);
// Ranks over all chains (ties share their mean rank) as normal scores: quantile((rank - 3/8) / (n +
// 1/4)).
Chains rank_normalise(const Chains& chains);

// Geyer's initial monotone sequence estimate over the chains as they are given.
double effective_size(const Chains& chains);
// sqrt(var+ / W) over the chains as they are given.
double potential_scale_reduction(const Chains& chains);

double r_hat(const Chains& chains);     // rank-normalised, split, the larger of bulk and folded
double ess_mean(const Chains& chains);  // split
double ess_bulk(const Chains& chains);  // rank-normalised, split
double ess_tail(const Chains& chains);  // the smaller of those of the 5 % and 95 % quantiles

}  // namespace chancel::report
