// SPDX-License-Identifier: Apache-2.0
// The energy diagnostic of Hamiltonian moves (Betancourt 2016): each move draws a fresh momentum, so the
// energy can change by no more than that momentum allows. Where the energies of the draws spread wider,
// the chain walks slowly through them, and the tails of the posterior are visited seldom.
#pragma once
#include <cmath>
#include <limits>
#include <vector>

#include "report/convergence.hpp"

namespace chancel::report {

// E-BFMI of a chain: mean square of the changes from draw to draw, over the variance of the energies.
// About 1 is good, below 0.2 bad. NaN for fewer than three draws, and where the energies do not vary.
inline double energy_fraction(const std::vector<double>& energies) {
  if (energies.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  double mean = 0, changes = 0, spread = 0;
  for (const double e : energies) mean += e / static_cast<double>(energies.size());
  for (std::size_t i = 0; i < energies.size(); ++i) {
    spread += (energies[i] - mean) * (energies[i] - mean);
    if (i > 0) changes += (energies[i] - energies[i - 1]) * (energies[i] - energies[i - 1]);
  }
  return changes / spread;
}

// The smallest of several chains; NaN: none has one.
inline double least_energy_fraction(const Chains& energies) {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const auto& chain : energies) least = std::fmin(least, energy_fraction(chain));
  return least;
}

}  // namespace chancel::report
