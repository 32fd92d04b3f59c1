// SPDX-License-Identifier: Apache-2.0
// See run_totals.hpp.
#include "runs/run_totals.hpp"

#include <algorithm>
#include <cmath>

#include "infer/evidence.hpp"

namespace chancel {

// By statistics.def: what is added up has a field of the same name in RunStatistics.
#define CHANCEL_ADD_Sum(name) sum_.name += r.name;
#define CHANCEL_ADD_Own(name)
#define CHANCEL_FILL_Sum(name) f.name = sum_.name;
#define CHANCEL_FILL_Own(name)

void RunTotals::add(const EngineStatistics& r) {
#define CHANCEL_STATISTIC(type, name, initial, total) CHANCEL_ADD_##total(name)
#include "infer/statistics.def"
  if (std::isfinite(r.likelihood_variance)) {
    sum_.likelihood_variance =
        std::fmax(0, sum_.likelihood_variance) + r.likelihood_variance;  // fmax: of a NaN
    sum_.suggested_particles += r.suggested_particles;
    ++chains_with_likelihood_;
  }
  if (!(r.lowest_acceptance >= sum_.lowest_acceptance) && !std::isnan(r.lowest_acceptance)) {
    sum_.lowest_acceptance = r.lowest_acceptance;
    sum_.lowest_acceptance_at = r.lowest_acceptance_at;
  }
  add_moves(sum_.moves, r.moves);
  sum_.places.add(r.places);
  sum_.structures.add(r.structures);
  sum_.independent = r.independent;
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
#define CHANCEL_STATISTIC(type, name, initial, total) CHANCEL_FILL_##total(name)
#include "infer/statistics.def"
  if (chains_with_likelihood_ > 0) {
    f.likelihood_variance = sum_.likelihood_variance / static_cast<double>(chains_with_likelihood_);
    f.suggested_particles = sum_.suggested_particles / chains_with_likelihood_;
  }
  if (!std::isnan(sum_.lowest_acceptance)) f.lowest_acceptance = sum_.lowest_acceptance;
  f.lowest_acceptance_at = sum_.lowest_acceptance_at;
  f.independent = sum_.independent;
  const SeldomVisited seldom = sum_.structures.seldom().value_or(SeldomVisited{});
  f.longest_stay = seldom.stay;
  f.stay_visits = seldom.visits;
  f.stay_steps = seldom.steps;
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
