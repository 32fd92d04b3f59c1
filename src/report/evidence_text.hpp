// SPDX-License-Identifier: Apache-2.0
// Why the log evidence of a run has no standard error: words for the table and for the advice.
#pragma once
#include <string>

#include "chancel/summary.hpp"

namespace chancel::report {

// "one of 40 sweeps makes up 98 % of it; log Z of a sweep has a standard deviation of 14.2". Empty
// when there is nothing to doubt, or a single estimate, whose error is unknown.
std::string evidence_doubt(const Summary& summary, const RunStatistics& statistics);

}  // namespace chancel::report
