// SPDX-License-Identifier: Apache-2.0
// chancel summary DIR...: what the draws of kept runs say. Several directories count as chains of
// one run.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "chancel/loo.hpp"
#include "chancel/run_directory.hpp"
#include "chancel/summary.hpp"
#include "command.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "stored_summary.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

bool is_draws_file(const std::string& path) {
  for (const char* ending : {".csv", ".csv.gz", ".ndjson", ".ndjson.gz"})
    if (path.ends_with(ending)) return true;
  return false;
}

// What makes numbers worthless, and nothing else.
std::string grave_text(const Summary& summary, const RunStatistics& statistics) {
  const std::vector<Advice> all = advise(summary, statistics);
  const bool grave = std::any_of(all.begin(), all.end(),
                                 [](const Advice& a) { return a.weight == Advice::Weight::Grave; });
  return grave ? advice_text(summary, statistics, error_colour()) : "";
}

}  // namespace

TableOptions table_options_of(bool labels) {
  TableOptions options;
  options.colour = output_colour();
  if (labels) {
    options.fold_above = 0;
    options.rows_per_label = std::numeric_limits<std::size_t>::max();
  }
  return options;
}

int show_stored_summary(const std::vector<std::string>& paths, const std::string& format,
                        bool labels) {
  RunInfo info;
  RunStatistics statistics;
  bool running = false;
  for (const std::string& path : paths) {
    if (is_draws_file(path)) continue;
    const RunRecord run = read_run(path);
    running = running || run.status == RunStatus::Running;
    // RunStatistics are of one run; the draws of several are one.
    if (paths.size() > 1) continue;
    info = run.description.info;
    statistics = run.statistics;
  }
  const Summary summary = summarize_draws(paths, statistics);
  if (running)
    write_error("chancel: note: a run has not finished (it is still running, or it was killed)\n");
  if (format == "json") {
    write_output(json(summary, statistics, info));
  } else if (format == "csv") {
    write_output(summary_csv(summary));
    // A column has no room for it, and what follows reads numbers.
    write_error(grave_text(summary, statistics));
  } else if (paths.size() == 1 && !is_draws_file(paths.front())) {
    write_output(table(summary, statistics, info, table_options_of(labels)));
  } else {
    write_output(draws_table(summary, table_options_of(labels)));
  }
  flush_output();
  return summary.draws > 0 ? 0 : static_cast<int>(ExitCode::Failed);
}

int summary_command(const Arguments& arguments) {
  std::vector<std::string> paths;
  std::string format = "table";
  bool loo = false, labels = false;
  OptionParser parser("chancel summary DIR... [options]",
                      "Summarises runs that were kept with `chancel infer ... --out DIR`, or files "
                      "of draws. Several are "
                      "taken as chains of\none run: their labels should be the same.",
                      "  chancel summary runs/1\n  chancel summary --loo runs/1\n  chancel summary "
                      "runs/1 runs/2 runs/3 -f csv\n");
  parser.rest("DIR", &paths, true, false);
  parser.flag(
      "--loo", &loo,
      "how well the model predicts each observe from the others: PSIS-LOO and WAIC, of a run "
      "kept with --pointwise");
  parser.group("Output");
  parser.option("-f,--format", &format, "NAME", "table (default), json or csv");
  parser.flag("--labels", &labels, kLabelsHelp);
  if (!parser.parse(arguments)) return 0;
  if (format != "table" && format != "json" && format != "csv")
    throw UsageError(fmt::format("there is no format '{}'", format),
                     "the formats are table, json, csv");
  if (!loo) return show_stored_summary(paths, format, labels);
  if (paths.size() > 1 || format == "csv")
    throw UsageError("--loo takes one run, and writes a table or json",
                     "chancel compare DIR DIR... compares runs");
  const Loo estimates = leave_one_out(paths.front());
  write_output(format == "json" ? loo_json(estimates) : loo_table(estimates, output_colour()));
  flush_output();
  return 0;
}

}  // namespace chancel::tool
