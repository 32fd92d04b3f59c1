// SPDX-License-Identifier: Apache-2.0
// run.json of a run directory: what was run and how it went. docs/file-formats.md has the schema.
#pragma once
#include <string>

#include "chancel/run_directory.hpp"
#include "report/run_folder.hpp"

namespace chancel::report {

inline constexpr int kRunFormat = 1;

// Names inside a run directory.
std::string source_file_name(const RunDescription& run);
std::string data_file_name(const RunDescription& run);  // empty without data
std::string draws_file_name(const RunDescription& run);
std::string pointwise_file_name(const RunDescription& run);

struct RunTimes {
  std::string started, updated;     // UTC, ISO 8601
  unsigned resumed = 0;             // how often
  std::uint64_t resumed_draws = 0;  // that were not made again, the last time
};
std::string run_json(const RunDescription& run, RunStatus status, const RunStatistics& statistics,
                     const RunTimes& times, const std::optional<DrawsFile>& draws);
// Also the texts of the program and data beside it.
RunRecord parse_run_json(const RunFolder& folder, RunTimes* times = nullptr);
std::string utc_now();

}  // namespace chancel::report
