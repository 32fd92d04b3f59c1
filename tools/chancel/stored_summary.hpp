// SPDX-License-Identifier: Apache-2.0
// The summary of runs that are on disk, and how tables look.
#pragma once
#include <string>
#include <vector>

#include "chancel/summary.hpp"

namespace chancel::tool {

// How tables are shown here; `labels`: with every element (--labels).
TableOptions table_options_of(bool labels);
inline constexpr const char* kLabelsHelp =
    "every element in the table: otherwise vectors of more than 12 elements, and those of "
    "predictive labels, are one line each";

// Formats: table, json, csv. Returns the exit code.
int show_stored_summary(const std::vector<std::string>& directories, const std::string& format,
                        bool labels);

}  // namespace chancel::tool
