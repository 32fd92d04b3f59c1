// SPDX-License-Identifier: Apache-2.0
// The command that makes the same draws again. Of a run that the clock or the user cut short it has the
// number of rounds, and no time limit.
#pragma once
#include <string>

#include "chancel/summary.hpp"

namespace chancel::report {

std::string command_to_repeat(const RunInfo& info, const RunStatistics& statistics);

}  // namespace chancel::report
