// SPDX-License-Identifier: Apache-2.0
// A run as one HTML page that needs nothing else: charts of every label, traces, ranks, running
// means, what happened at each observe, the program. docs/report.md describes it.
//
//   chancel::write_report_page("runs/1", "report.html");      of a run directory
//
//   chancel::ReportPage page;                                 of a run in memory options.on_barrier
//   = [&](const chancel::Barrier& b) { page.barrier(b); }; options.on_descent = [&](const
//   chancel::Descent& d) { page.descent(d); }; for (const chancel::Draw& draw : run)
//   builder.add(draw); page.write("report.html", {description, status, version(),
//   run.statistics()}, builder, summary);
//
// Throws chancel::Error: U002 (cannot read), U003 (not a run), U004 (cannot write). Memory: the
// draws, 8 bytes a number. The page has a bounded number of points a chart, whatever the number of
// draws.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "chancel/run_directory.hpp"

namespace chancel {

class ReportPage {
 public:
  ReportPage();
  ~ReportPage();
  ReportPage(const ReportPage&) = delete;
  ReportPage& operator=(const ReportPage&) = delete;
  void barrier(const Barrier& barrier);
  void descent(const Descent& descent);
  void profile(const std::vector<LineProfile>& profile);
  // The labels of the pair plot, with or without their colon; chosen by what they show when not given.
  void pairs(const std::vector<std::string>& labels);
  // `summary` is that of `draws`.
  std::string make(const RunRecord& run, const SummaryBuilder& draws, const Summary& summary) const;
  void write(const std::string& file, const RunRecord& run, const SummaryBuilder& draws,
             const Summary& summary) const;

  struct Impl;

 private:
  friend std::string report_page(const std::string& directory,
                                 const std::vector<std::string>& pairs);
  std::unique_ptr<Impl> impl_;
};

std::string report_page(const std::string& directory, const std::vector<std::string>& pairs = {});
void write_report_page(const std::string& directory, const std::string& file,
                       const std::vector<std::string>& pairs = {});

}  // namespace chancel
