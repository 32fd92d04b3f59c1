// SPDX-License-Identifier: Apache-2.0
// What a page shows of a run beside its draws: what happened at each observe, a family tree of
// particles, the profile by source line; and how a run directory holds them. Files that are not
// there are empty here; a last line that a killed run left half-written is passed over.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chancel/summary.hpp"
#include "report/run_folder.hpp"

namespace chancel::page {

struct BarrierStatistics {  // over all sweeps
  double ess_sum = 0, ess_least = 0, ess_most = 0;
  std::uint64_t count = 0, resampled = 0;
  double mean_ess() const { return ess_sum / static_cast<double>(count); }
  void add(double ess, bool resampled_here);
};
struct Barriers {
  // Line and number in the sweep.
  std::map<std::pair<std::size_t, std::uint64_t>, BarrierStatistics> by_place;
  std::map<std::size_t, BarrierStatistics> by_line;
  void add(const Barrier& barrier);
};
void for_barriers(const report::RunFolder& folder,
                  const std::function<void(const Barrier&)>& each);  // smc.csv

using Ancestry = std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Descent>>;
void for_descents(const report::RunFolder& folder,
                  const std::function<void(const Descent&)>& each);  // ancestry.csv

struct Profile {  // profile.csv: any columns beside `line`
  std::vector<std::string> columns;
  std::map<std::size_t, std::vector<double>> by_line;
};
Profile profile_of(std::string_view csv);
Profile read_profile(const report::RunFolder& folder);

// Particles of a sweep; 0 for engines that have none.
double particles_of(const RunInfo& info, const std::string& engine);

}  // namespace chancel::page
