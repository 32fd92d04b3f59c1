// SPDX-License-Identifier: Apache-2.0
// Why draws fall short of a posterior, as far as the statistics of the run show it, and what to do about
// it. Engines are named only where the run has found that they take the program
// (RunStatistics::other_engines).
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/summary.hpp"

namespace chancel::report {

// Chains whose log densities are far apart: those of the lower ones, and of the others.
struct ApartChains {
  std::vector<std::size_t> low;  // places in RunStatistics::chain_densities
  double low_mean, low_sd, high_mean, high_sd;
};
std::optional<ApartChains> chains_apart(const RunStatistics& statistics);
// "chain 2 stays where the log density is -812 ± 2.1 ..., and :mu 13.2 (others 3.1)"
std::string apart_text(const ApartChains& apart, const Summary& summary,
                       const RunStatistics& statistics);

// Chains have labels in different orders, and their log densities agree.
bool orders_differ(const Summary& summary, const RunStatistics& statistics);

// "try another engine (-a nuts, -a pgibbs)"; empty when none of these families takes the program.
std::string another_engine(const RunStatistics& statistics,
                           std::initializer_list<std::string_view> families);

// The variable that divergences call the scale of a funnel; empty: none.
std::string funnel_scale(const RunStatistics& statistics);
std::string non_centred(const std::string& scale);

// What to do when more draws of the same kind would not help. `worst`: the row that is to improve; null:
// the one with the fewest effective draws.
std::string remedy(const Summary& summary, const RunStatistics& statistics, const Estimate* worst);
// The same, where the statistics show a cause; else empty.
std::string remedy_of_cause(const Summary& summary, const RunStatistics& statistics,
                            const Estimate* worst);

// Where chains seldom come back to a structure that they left.
std::string structure_remedy(const RunStatistics& statistics);

}  // namespace chancel::report
