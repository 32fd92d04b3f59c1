// SPDX-License-Identifier: Apache-2.0
// How labels vary together over the draws of a run.
#pragma once
#include <optional>
#include <span>

#include "chancel/summary.hpp"
#include "report/draw_columns.hpp"

namespace chancel::report {

// Of two columns of equal length; 0 when one of them does not vary.
double correlation(std::span<const double> x, std::span<const double> y);

// Of the numbers among the first labels that are not predictive and in every draw, the two that are
// correlated most; labels that are linear functions of each other do not count. `rows` of the summary
// are in the order of the columns. Nothing for weighted draws.
std::optional<Correlation> strongest_correlation(const DrawColumns& draws,
                                                 const std::vector<Estimate>& rows,
                                                 const RunStatistics& statistics);

}  // namespace chancel::report
