// SPDX-License-Identifier: Apache-2.0
// The draws of run directories or files, collected for a summary.
#pragma once
#include "chancel/summary.hpp"

namespace chancel::report {

// Chains of several paths are put side by side.
SummaryBuilder stored_draws(const std::vector<std::string>& paths);
// Parts of a label are columns of their own in a file: puts the names back together.
Summary summarize_stored(const SummaryBuilder& draws, const RunStatistics& statistics);

}  // namespace chancel::report
