// SPDX-License-Identifier: Apache-2.0
// chancel-paper, which `chancel paper` starts: the experiments of the paper, from the programs printed
// in it to a page with their figures. This file reads the command line.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "chancel/chancel.hpp"
#include "console.hpp"
#include "guarded.hpp"
#include "option_parser.hpp"
#include "paper/page.hpp"
#include "paper/runner.hpp"
#include "quantity.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

using paper::Cell;
using paper::Experiment;
using paper::Settings;

constexpr const char* kExamples =
    "  chancel paper --out paper\n"
    "      everything, with 25 seeds: about a quarter of an hour on two cores\n"
    "  chancel paper --quick --out paper\n"
    "      the same in coarse grain: a minute\n"
    "  chancel paper --resume --out paper\n"
    "      goes on where an interrupted run stopped; finished work is not done again\n"
    "  chancel paper --experiment convergence --experiment particles --out paper\n";

std::string about() {
  std::string out =
      "Runs the experiments of \"A New Approach to Probabilistic Programming Inference\" (Wood, "
      "van de\n"
      "Meent, Mansinghka 2014) and writes raw data, figures and a page that tells their story:\n";
  for (const Experiment& e : paper::experiments())
    out += fmt::format("  {:<13} {}\n", e.name, e.what);
  out.pop_back();
  return out;
}

std::vector<std::string> chosen(const std::string& words) {
  std::vector<std::string> known, wanted, out;
  for (const Experiment& e : paper::experiments()) known.push_back(e.name);
  std::istringstream in(words);
  for (std::string word; in >> word;) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError(fmt::format("there is no experiment '{}'", word),
                       suggest(word, known, "the experiments are " + join(known)));
    wanted.push_back(word);
  }
  for (const std::string& name : known)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
      out.push_back(name);
  return out;
}

unsigned small_count(const std::string& option, const std::string& text, unsigned otherwise) {
  if (text.empty()) return otherwise;
  const std::uint64_t count = parse_count(option, text);
  if (count < 1 || count > 10000)
    throw UsageError(fmt::format("{} must be between 1 and 10000, got {}", option, text), "");
  return static_cast<unsigned>(count);
}

int run(const Arguments& arguments) {
  join_ranks("paper", true, arguments);
  Settings settings;
  std::string names, runs, threads, seed;
  OptionParser parser("chancel paper [options] --out DIR", about(), kExamples);
  parser.group("Options");
  parser.option("-o,--out", &settings.out, "DIR", "where everything is written");
  parser.repeated("-e,--experiment", &names, "NAME", "only this one (may be repeated)");
  parser.option("--runs", &runs, "N", "seeds for each curve (25; quick: 4)");
  parser.flag("--quick", &settings.quick, "fewer runs and simulations");
  parser.option("--threads", &threads, "N", "runs at a time (all cores)");
  parser.option("--seed", &seed, "N", "of all randomness (1)");
  parser.flag("--resume", &settings.resume,
              "keep what an earlier run with the same seed has finished");
  if (!parser.parse(arguments)) return 0;
  if (settings.out.empty())
    throw UsageError("paper needs --out DIR", "chancel paper --quick --out paper");
  settings.experiments = chosen(names);
  settings.runs = small_count("--runs", runs, settings.quick ? 4 : 25);
  settings.threads =
      small_count("--threads", threads,
                  std::max(1u, std::thread::hardware_concurrency() / cluster().neighbours()));
  if (!seed.empty()) settings.seed = parse_count("--seed", seed);

  // The first rank makes the folder, and others find it.
  if (!cluster().first()) {
    cluster().gather({});
    settings.resume = true;
  }
  const paper::Store store(settings);
  if (cluster().first()) cluster().gather({});
  std::vector<paper::Told> told;
  std::vector<Cell> all;
  for (const Experiment& e : paper::experiments()) {
    if (std::find(settings.experiments.begin(), settings.experiments.end(), e.name) ==
        settings.experiments.end())
      continue;
    told.push_back({&e, e.cells(settings)});
    all.insert(all.end(), told.back().cells.begin(), told.back().cells.end());
  }
  const bool finished = paper::run_cells(all, store, settings.threads, cluster());
  if (!cluster().first()) return finished ? 0 : kInterruptedExit;
  if (!finished) {
    const auto done =
        std::count_if(all.begin(), all.end(), [&](const Cell& c) { return store.has(c); });
    write_error(fmt::format("chancel: stopped; {} of {} runs are kept: add --resume to go on\n",
                            done, all.size()));
    return kInterruptedExit;
  }
  paper::write_results(settings, store, told);
  write_output(fmt::format("{}\n", (store.folder() / "index.html").string()));
  return 0;
}

}  // namespace
}  // namespace chancel::tool

int main(int count, char** words) {
  chancel::tool::install_signal_handlers();
  chancel::tool::stop_gently();
  const chancel::tool::Arguments arguments(words + (count > 0 ? 1 : 0), words + count);
  return chancel::tool::leave_ranks(
      chancel::tool::guarded([&] { return chancel::tool::run(arguments); }));
}
