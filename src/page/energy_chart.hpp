// SPDX-License-Identifier: Apache-2.0
// The data of the energy chart of gradient moves: report/energy.hpp says what to look for.
#pragma once
#include "page/json_numbers.hpp"
#include "report/convergence.hpp"

namespace chancel::page {

// {marginal {x, y}, transition {x, y}, fractions}: densities of the energies, less the mean of their
// chain, and of their changes from draw to draw; E-BFMI of each chain. Null when there is nothing.
Json energy_chart(const report::Chains& energies);

}  // namespace chancel::page
