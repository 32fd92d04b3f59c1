// SPDX-License-Identifier: Apache-2.0
// What engines ask of a sweep: how many particles, how they are resampled, what is kept of them, and which
// threads and ranks work on it.
#pragma once
#include <cstdint>

#include "infer/resample.hpp"

namespace chancel {

class Ranks;  // ranks/ranks.hpp

struct SweepSettings {
  std::uint32_t particles = 100;
  Resampling resampling = Resampling::Systematic;
  double ess_threshold = 1;   // resample when ESS < threshold * particles; 1 = always
  bool keep_history = false;  // so that any particle can become the retained path
  bool record_draws = false;  // with the history: every sampled value (slower: stops at samples)
  bool early_draws = false;   // of those only the ones before the first observe are looked at
  // Retained paths get other pasts (GivenPath::choose_ancestor): what they draw is known, whether or not all draws
  // are recorded, and native code computes the densities of their futures, too.
  bool futures = false;
  std::uint64_t moves = 0;  // of each particle at each observe; draws are recorded then
  // Resample in the order of the last number that each particle drew (draws are recorded): with the
  // same random numbers, parameters nearby then give an evidence nearby.
  bool ordered = false;
  bool keep_lineages = false;  // so that another process can run any particle again
  unsigned slices = 1;         // of the particles: the number of ranks that share a sweep
};

// Which threads work on a sweep. Sweeps that run at the same time on one pool of workers use one worker
// each and do not collect.
struct SweepPlace {
  unsigned worker = 0;
  bool alone = true;
  // Every one of them has a slice of the particles, and all run this sweep at the same time (smc only:
  // no retained path, no history, no moves). Null: all particles are here.
  Ranks* ranks = nullptr;
};

}  // namespace chancel
