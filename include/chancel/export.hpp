// SPDX-License-Identifier: Apache-2.0
// The draws of a run directory in the formats of other tools: CmdStan's CSV, ArviZ's netCDF and JSON,
// posteriordb. docs/file-formats.md says what each file holds.
//
//   for (const std::string& file : chancel::export_run("runs/1", "arviz-netcdf").files) ...
//
// Throws chancel::Error: U002 (cannot read), U003 (not a run, no draws, no such format), U004 (cannot
// write). Memory: the draws, 8 bytes a number.
#pragma once
#include <string>
#include <vector>

namespace chancel {

// The names that export_run takes.
std::vector<std::string> export_formats();

struct Exported {
  std::vector<std::string> files;
  std::vector<std::string> notes;  // what was left out
};
// Files whose names begin with `stem`; with an empty one they lie in the run directory. Weighted draws
// are written twice: equally weighted (resampled), and with their weights as stem + "-weighted".
// `prior_directory`: a run with InferOptions::prior, whose draws go into groups of their own (ArviZ's
// formats only).
Exported export_run(const std::string& directory, const std::string& format,
                    const std::string& stem = {}, const std::string& prior_directory = {});

}  // namespace chancel
