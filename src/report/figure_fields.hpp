// SPDX-License-Identifier: Apache-2.0
// The figures of a run by the names that JSON files give them: one list for writing and reading.
#pragma once
#include <nlohmann/json.hpp>

#include "chancel/chancel.hpp"

namespace chancel::report {

struct CountField {
  const char* name;
  std::uint64_t Figures::*member;
};
struct RealField {
  const char* name;
  double Figures::*member;
};
inline constexpr CountField kFigureCounts[] = {
    {"proposals", &Figures::proposals},       {"accepted", &Figures::accepted},
    {"resamplings", &Figures::resamplings},   {"zero_weight", &Figures::zero_weight},
    {"simulations", &Figures::simulations},   {"particle_steps", &Figures::particle_steps},
    {"applications", &Figures::applications}, {"min_ess_line", &Figures::min_ess_line},
    {"peak_memory", &Figures::peak_memory},   {"evidence_parts", &Figures::evidence_parts}};
inline constexpr RealField kFigureReals[] = {
    {"mean_ess", &Figures::mean_ess},
    {"min_ess", &Figures::min_ess},
    {"mean_distinct_ancestors", &Figures::mean_distinct_ancestors},
    {"evidence_top_share", &Figures::evidence_top_share},
    {"evidence_spread", &Figures::evidence_spread},
    {"seconds", &Figures::seconds}};

inline nlohmann::ordered_json sites_json(const Figures& figures) {
  auto out = nlohmann::ordered_json::array();
  for (const SiteAcceptance& site : figures.sites)
    out.push_back({{"line", site.line},
                   {"column", site.column},
                   {"proposals", site.proposals},
                   {"accepted", site.accepted}});
  return out;
}

}  // namespace chancel::report
