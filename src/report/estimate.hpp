// SPDX-License-Identifier: Apache-2.0
// From one column to one row of the summary: moments, quantiles or probabilities, with their
// errors.
#pragma once
#include "chancel/summary.hpp"
#include "report/accuracy.hpp"
#include "report/column.hpp"

namespace chancel::report {

// `fixed`: the label depends on no draw.
Estimate estimate(const Column& column, bool structures, const DrawFrame& frame,
                  bool fixed = false);

}  // namespace chancel::report
