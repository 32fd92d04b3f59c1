// SPDX-License-Identifier: Apache-2.0
// The summary of runs that are on disk.
#pragma once
#include <string>
#include <vector>

namespace chancel::tool {

// Formats: table, json, csv. Returns the exit code.
int show_stored_summary(const std::vector<std::string>& directories, const std::string& format);

}  // namespace chancel::tool
