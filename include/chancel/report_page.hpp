// SPDX-License-Identifier: Apache-2.0
// A run directory as one HTML page that needs nothing else: charts of every label, traces, ranks,
// running means, what happened at each observe, the program. docs/report.md describes it.
//
//   chancel::write_report_page("runs/1", "report.html");
//
// Throws chancel::Error: U002 (cannot read), U003 (not a run), U004 (cannot write). Memory: the draws, 8 bytes a number.
// The page has a bounded number of points a chart, whatever the number of draws.
#pragma once
#include <string>

namespace chancel {

std::string report_page(const std::string& directory);
void write_report_page(const std::string& directory, const std::string& file);

}  // namespace chancel
