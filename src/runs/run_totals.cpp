// SPDX-License-Identifier: Apache-2.0
// See run_totals.hpp.
#include "runs/run_totals.hpp"

#include <algorithm>
#include <cmath>

#include "infer/evidence.hpp"

namespace chancel {

void RunTotals::add(const EngineStatistics& r) {
  sum_.simulations += r.simulations;
  sum_.particle_steps += r.particle_steps;
  sum_.applications += r.applications;
  sum_.warmup += r.warmup;
  sum_.proposals += r.proposals;
  sum_.accepted += r.accepted;
  sum_.saturated += r.saturated;
  if (std::isfinite(r.likelihood_variance)) {
    sum_.likelihood_variance =
        std::fmax(0, sum_.likelihood_variance) + r.likelihood_variance;  // fmax: of a NaN
    sum_.suggested_particles += r.suggested_particles;
    ++chains_with_likelihood_;
  }
  sum_.temperatures += r.temperatures;
  if (!(r.lowest_acceptance >= sum_.lowest_acceptance) && !std::isnan(r.lowest_acceptance)) {
    sum_.lowest_acceptance = r.lowest_acceptance;
    sum_.lowest_acceptance_at = r.lowest_acceptance_at;
  }
  add_moves(sum_.moves, r.moves);
  sum_.places.add(r.places);
  sum_.independent = r.independent;
  sum_.resamplings += r.resamplings;
  sum_.zero_weight += r.zero_weight;
  sum_.peak_memory += r.peak_memory;  // they run at the same time
  if (r.mean_ess > 0) {
    if (!has_ess() || r.min_ess < sum_.min_ess) {
      sum_.min_ess = r.min_ess;
      sum_.min_ess_site = r.min_ess_site;
    }
    sum_.mean_ess += r.mean_ess;
    sum_.mean_distinct_ancestors += r.mean_distinct_ancestors;
    ++chains_with_ess_;
  }
  // Every chain of an enumeration is the same one.
  sum_.left_out = std::fmin(sum_.left_out, r.left_out);
  if (r.has_log_evidence) evidence_.push_back({r.log_evidence, r.log_evidence_se});
  sum_.evidence_parts.add(r.evidence_parts);
}

void RunTotals::fill(RunStatistics& f) const {
  f.simulations = sum_.simulations;
  f.particle_steps = sum_.particle_steps;
  f.applications = sum_.applications;
  f.warmup = sum_.warmup;
  f.proposals = sum_.proposals;
  f.accepted = sum_.accepted;
  f.saturated = sum_.saturated;
  if (chains_with_likelihood_ > 0) {
    f.likelihood_variance = sum_.likelihood_variance / static_cast<double>(chains_with_likelihood_);
    f.suggested_particles = sum_.suggested_particles / chains_with_likelihood_;
  }
  f.temperatures = sum_.temperatures;
  if (!std::isnan(sum_.lowest_acceptance)) f.lowest_acceptance = sum_.lowest_acceptance;
  f.lowest_acceptance_at = sum_.lowest_acceptance_at;
  f.independent = sum_.independent;
  f.resamplings = sum_.resamplings;
  f.zero_weight = sum_.zero_weight;
  f.peak_memory = sum_.peak_memory;
  const auto n = static_cast<double>(std::max<std::size_t>(1, chains_with_ess_));
  f.mean_ess = sum_.mean_ess / n;
  f.mean_distinct_ancestors = sum_.mean_distinct_ancestors / n;
  f.min_ess = has_ess() ? sum_.min_ess : 0;
  if (std::isfinite(sum_.left_out)) f.left_out = sum_.left_out;
  f.evidence_parts = sum_.evidence_parts.count();
  f.evidence_top_share = sum_.evidence_parts.top_share();
  f.evidence_spread = sum_.evidence_parts.log_spread();
  f.log_evidence.reset();
  f.log_evidence_se.reset();
  if (evidence_.empty()) return;
  LogMoments z;
  for (const Evidence& e : evidence_) z.add(e.log_value);
  f.log_evidence = z.log_mean();
  // Errors of the chains themselves, as parts of the mean of Z; where one is not known, the spread
  // between the chains.
  double squares = 0;
  for (const Evidence& e : evidence_) {
    const double share = std::exp(e.log_value - z.log_mean());
    squares += share == 0 ? 0 : share * share * e.se * e.se;
  }
  const double se = std::isnan(squares)
                        ? z.log_mean_se()
                        : std::sqrt(squares) / static_cast<double>(evidence_.size());
  if (std::isfinite(se)) f.log_evidence_se = se;
}

}  // namespace chancel
