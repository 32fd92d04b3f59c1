// SPDX-License-Identifier: Apache-2.0
// The data of predictive checks: replicated data against those that were observed. A predictive label
// is compared with the member of the run's data that has its name (`:y`, or `:y-rep`, `:y-pred`,
// `:y-new`, `:y-hat` for `y`) and as many numbers.
#pragma once
#include "chancel/run_directory.hpp"
#include "page/draw_store.hpp"
#include "page/json_numbers.hpp"

namespace chancel::page {

// An array of {label, data, and
//   curves {observed {x, y}, replicated [{x, y}]}      densities, for real numbers; or
//   bars {low, width, observed, low_share, mid_share, high_share}   shares of values, for integers,
//   intervals {x, observed, q5, q50, q95, inside, of}  of each observation; many are thinned,
//   statistics [{name, observed, p, histogram {low, high, mass}}]}
// where p is the probability that the statistic of replicated data is larger (ties count half).
Json predictive_checks(const RunRecord& run, const Summary& summary, const DrawStore& store);

}  // namespace chancel::page
