// SPDX-License-Identifier: Apache-2.0
// What a run directory holds beside its draws, as a page shows it: what happened at each observe,
// a family tree of particles, the profile by source line. Files that are not there are empty
// here; a last line that a killed run left half-written is passed over.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/run_directory.hpp"

namespace chancel::page {

struct BarrierStatistics {  // over all sweeps
  double ess_sum = 0, ess_least = 0, ess_most = 0;
  std::uint64_t count = 0, resampled = 0;
  double mean_ess() const { return ess_sum / static_cast<double>(count); }
  void add(double ess, bool resampled_here);
};
struct Barriers {  // smc.csv
  // Line and number in the sweep.
  std::map<std::pair<std::size_t, std::uint64_t>, BarrierStatistics> by_place;
  std::map<std::size_t, BarrierStatistics> by_line;
};
Barriers read_barriers(const std::string& directory);

// ancestry.csv, by chain and sweep.
std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Descent>> read_ancestry(
    const std::string& directory);

struct Profile {  // profile.csv: any columns beside `line`
  std::vector<std::string> columns;
  std::map<std::size_t, std::vector<double>> by_line;
};
Profile read_profile(const std::string& directory);

// Particles of a sweep; 0 for engines that have none.
double particles_of(const RunRecord& run);

}  // namespace chancel::page
