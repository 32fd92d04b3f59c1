// SPDX-License-Identifier: Apache-2.0
// The statistics of several chains as those of one run. Counts add up. The evidence of a run is the
// mean of the chains' estimates of Z (each unbiased, all of the same effort), never the mean of
// their logarithms, which is too small.
#pragma once
#include <vector>

#include "chancel/chancel.hpp"
#include "infer/sink.hpp"

namespace chancel {

class RunTotals {
 public:
  void add(const EngineStatistics& chain);
  bool has_ess() const { return chains_with_ess_ > 0; }
  std::uint64_t simulations() const { return sum_.simulations; }
  std::uint64_t applications() const { return sum_.applications; }
  const std::vector<SiteMoves>& moves() const { return sum_.moves; }
  const std::vector<PlaceMoments>& places() const { return sum_.places.all(); }
  std::uint32_t min_ess_site() const { return sum_.min_ess_site; }
  void fill(RunStatistics& statistics) const;

 private:
  struct Evidence {
    double log_value;
    double se;  // of log_value; NaN = not known
  };
  EngineStatistics sum_;  // means are sums over the chains that have them
  std::size_t chains_with_ess_ = 0;
  std::size_t chains_with_likelihood_ = 0;
  std::vector<Evidence> evidence_;
};

}  // namespace chancel
