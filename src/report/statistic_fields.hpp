// SPDX-License-Identifier: Apache-2.0
// The statistics of a run by the names that JSON files give them: one list for writing and reading.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>

#include "chancel/chancel.hpp"

namespace chancel::report {

struct CountField {
  const char* name;
  std::uint64_t RunStatistics::*member;
};
struct RealField {
  const char* name;
  double RunStatistics::*member;
};
inline constexpr CountField kStatisticCounts[] = {
    {"warmup", &RunStatistics::warmup},
    {"divergences", &RunStatistics::divergences},
    {"proposals", &RunStatistics::proposals},
    {"accepted", &RunStatistics::accepted},
    {"saturated", &RunStatistics::saturated},
    {"suggested_particles", &RunStatistics::suggested_particles},
    {"temperatures", &RunStatistics::temperatures},
    {"resamplings", &RunStatistics::resamplings},
    {"zero_weight", &RunStatistics::zero_weight},
    {"simulations", &RunStatistics::simulations},
    {"particle_steps", &RunStatistics::particle_steps},
    {"applications", &RunStatistics::applications},
    {"min_ess_line", &RunStatistics::min_ess_line},
    {"peak_memory", &RunStatistics::peak_memory},
    {"evidence_parts", &RunStatistics::evidence_parts},
    {"continuous_draws", &RunStatistics::continuous_draws},
    {"discrete_draws", &RunStatistics::discrete_draws},
    {"longest_stay", &RunStatistics::longest_stay},
    {"stay_visits", &RunStatistics::stay_visits},
    {"stay_steps", &RunStatistics::stay_steps}};
inline constexpr RealField kStatisticReals[] = {
    {"mean_ess", &RunStatistics::mean_ess},
    {"min_ess", &RunStatistics::min_ess},
    {"mean_distinct_ancestors", &RunStatistics::mean_distinct_ancestors},
    {"likelihood_variance", &RunStatistics::likelihood_variance},
    {"lowest_acceptance", &RunStatistics::lowest_acceptance},
    {"lowest_acceptance_at", &RunStatistics::lowest_acceptance_at},
    {"evidence_top_share", &RunStatistics::evidence_top_share},
    {"evidence_spread", &RunStatistics::evidence_spread},
    {"seconds", &RunStatistics::seconds}};

// What was asked for, or null.
inline nlohmann::ordered_json optional_json(const std::optional<std::uint64_t>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json sites_json(const RunStatistics& statistics) {
  auto out = nlohmann::ordered_json::array();
  for (const SiteAcceptance& site : statistics.sites)
    out.push_back({{"line", site.line},
                   {"column", site.column},
                   {"proposals", site.proposals},
                   {"accepted", site.accepted}});
  return out;
}

inline nlohmann::ordered_json finite_or_null(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json chain_densities_json(const RunStatistics& statistics) {
  auto out = nlohmann::ordered_json::array();
  for (const ChainDensity& chain : statistics.chain_densities)
    out.push_back({{"chain", chain.chain},
                   {"draws", chain.draws},
                   {"mean", finite_or_null(chain.mean)},
                   {"sd", finite_or_null(chain.sd)},
                   {"acceptance", finite_or_null(chain.acceptance)}});
  return out;
}

inline nlohmann::ordered_json other_engines_json(const RunStatistics& statistics) {
  auto out = nlohmann::ordered_json::array();
  for (const OtherEngine& engine : statistics.other_engines)
    out.push_back({{"name", engine.name}, {"family", engine.family}});
  return out;
}

inline nlohmann::ordered_json divergence_places_json(const RunStatistics& statistics) {
  auto out = nlohmann::ordered_json::array();
  for (const DivergencePlace& place : statistics.divergence_places)
    out.push_back({{"line", place.line},
                   {"column", place.column},
                   {"name", place.name},
                   {"shift", place.shift},
                   {"gathers", place.gathers},
                   {"ordered", place.ordered},
                   {"positive", place.positive}});
  return out;
}

}  // namespace chancel::report
