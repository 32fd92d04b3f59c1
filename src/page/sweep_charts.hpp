// SPDX-License-Identifier: Apache-2.0
// The data of the charts about sweeps: effective sample size at each observe, and family trees of
// particles.
#pragma once
#include "page/json_numbers.hpp"
#include "page/run_data.hpp"

namespace chancel::page {

// {particles, series [{line, x, mean, least, most}]}: a series for each source line, x the number
// of the observe in its sweep. Null when there is none.
Json ess_chart(const Barriers& barriers, double particles);

// {chain, sweep, generations, lines, alive {x, y}, dead {x, y}}: strokes between generations with
// null between them; `alive` are those that have descendants at the end. Many generations are
// drawn in fewer steps.
Json ancestry_chart(std::uint64_t chain, std::uint64_t sweep, const std::vector<Descent>& descents);

}  // namespace chancel::page
