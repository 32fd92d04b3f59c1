// SPDX-License-Identifier: Apache-2.0
// The sample site at which the fewest proposals were accepted: where a Markov chain is stuck.
#pragma once
#include "chancel/chancel.hpp"

namespace chancel::report {

// The lowest rate; of equal rates that with the most proposals. Null when there are no sites.
inline const SiteAcceptance* worst_site(const RunStatistics& statistics) {
  const SiteAcceptance* worst = nullptr;
  const auto rate = [](const SiteAcceptance& s) {
    return static_cast<double>(s.accepted) / static_cast<double>(s.proposals);
  };
  for (const SiteAcceptance& site : statistics.sites) {
    if (site.proposals == 0) continue;
    if (worst == nullptr || rate(site) < rate(*worst) ||
        (rate(site) == rate(*worst) && site.proposals > worst->proposals))
      worst = &site;
  }
  return worst;
}

}  // namespace chancel::report
