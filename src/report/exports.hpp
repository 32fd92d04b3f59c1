// SPDX-License-Identifier: Apache-2.0
// The formats of other tools that draws are converted into: docs/file-formats.md says what each
// file holds.
#pragma once
#include <string>
#include <vector>

#include "chancel/run_directory.hpp"
#include "report/draw_table.hpp"

namespace chancel::report {

struct TabledRun {
  RunRecord run;
  DrawTable table;
};

// Each writes files whose names begin with `stem` and returns their names. A weighted table has its
// log weights beside the draws. `prior`: a run with --prior of the same program, or null; only formats
// with groups have a place for it.
std::vector<std::string> export_cmdstan_csv(const TabledRun& run, const TabledRun* prior,
                                            const std::string& stem);
std::vector<std::string> export_arviz_json(const TabledRun& run, const TabledRun* prior,
                                           const std::string& stem);
std::vector<std::string> export_arviz_netcdf(const TabledRun& run, const TabledRun* prior,
                                             const std::string& stem);
std::vector<std::string> export_posteriordb(const TabledRun& run, const TabledRun* prior,
                                            const std::string& stem);

// The numbers among the data of the run, in one row: members of a JSON object, columns of a CSV file.
// Arrays are rectangular; true and false are 1 and 0.
std::vector<Variable> observed_data(const RunDescription& run);

// The name of an element: ".1.2" (CmdStan) or "[1,2]" (posteriordb), counting from 1; empty for a
// scalar.
std::string element_suffix(const Variable& variable, std::size_t element, bool brackets);

}  // namespace chancel::report
