// SPDX-License-Identifier: Apache-2.0
// The data of the charts of a label: of one row of the summary, and of a label of many parts as a
// whole. assets/report.js draws them; docs/report.md says what they show.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "chancel/summary.hpp"
#include "page/draw_store.hpp"
#include "page/json_numbers.hpp"

namespace chancel::page {

struct ChartBudget {
  std::size_t points = 2000;  // of a trace, over all chains
  std::size_t curves = 8;     // chains shown; further ones would not be told apart
  std::size_t step = 1;       // draws from one in the series to the next
};

// Members, each only where it makes sense: label, kind, mean, mcse, q5, q50, q95; histogram {low,
// high, mass, below, above}, density {x, y}; bars {values, p, mcse, other}; trace {names, values?,
// curves [{x, y}]}, ranks {names, shares}, autocorrelation {names, curves}, running {names, curves,
// probability}; unit, when all numbers are in that power of ten.
Json label_charts(const Estimate& row, const Series& series, const ChartBudget& budget);

// {label, paths, and for numbers mean, q5, q95; for discrete values values, p (one array a value),
// other}. Null for rows that have no picture in common.
Json group_chart(std::span<const Estimate> rows);

}  // namespace chancel::page
