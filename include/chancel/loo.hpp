// SPDX-License-Identifier: Apache-2.0
// How well a model predicts what it has not seen: leave-one-out cross-validation by Pareto smoothed
// importance sampling (Vehtari, Gelman & Gabry 2017) and WAIC, from the log-likelihoods of single
// observes that a run kept (InferOptions::pointwise, `chancel infer --pointwise --out DIR`). Same
// results as the R package loo with r_eff = posterior::ess_mean(exp(log_lik)) / draws.
//
//   const chancel::Loo loo = chancel::leave_one_out("runs/1");
//   for (const chancel::LooComparison& c : chancel::compare_runs({"runs/1", "runs/2"})) ...
//
// Throws chancel::Error: U002 (cannot read), U003 (no log-likelihoods, weighted draws, numbers of
// observes that differ).
#pragma once
#include <string>
#include <vector>

namespace chancel {

struct LooEstimate {
  double value = 0;
  double se = 0;  // standard error over the observes
};

struct LooTerm {  // of one observe
  std::size_t line = 0;
  double elpd = 0;      // log predictive density without it
  double p = 0;         // effective number of parameters that it takes
  double pareto_k = 0;  // above 0.7 the other two cannot be trusted
  double elpd_waic = 0, p_waic = 0;
};

struct Loo {
  std::size_t draws = 0, chains = 0;
  std::vector<LooTerm> terms;
  LooEstimate elpd_loo, p_loo, looic;
  LooEstimate elpd_waic, p_waic, waic;
  std::size_t untrusted() const;  // observes with k > 0.7
};

// `directory`: a run with its log-likelihoods.
Loo leave_one_out(const std::string& directory);
// Columns: a log-likelihood of each draw for each observe; rows of the chains one after the other.
Loo leave_one_out(const std::vector<std::vector<double>>& columns, std::size_t chains);

struct LooComparison {
  std::string name;
  Loo loo;
  LooEstimate difference;  // of elpd_loo to the best run
};
// Best first. The runs must have the same observes.
std::vector<LooComparison> compare_runs(const std::vector<std::string>& directories);

// For people, with warnings as the R package gives them; and as JSON.
std::string loo_table(const Loo& loo, bool colour = false);
std::string loo_json(const Loo& loo);
std::string comparison_table(const std::vector<LooComparison>& runs, bool colour = false);

}  // namespace chancel
