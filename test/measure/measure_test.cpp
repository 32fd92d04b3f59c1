// SPDX-License-Identifier: Apache-2.0
// The conditional-measure gate: every engine on every model with an exact answer (cells.cpp has the
// table, checker.hpp the statistics). One line a cell, then "N passed, M failed".
//   measure_test [--fresh] [--engine ROW] [--program FILE] [--table FILE] [--unjudged LENGTH] [--shard K/N]
// --shard runs the K-th of N parts that take about as long as each other, so that several cores share
// the table; --fresh takes new seeds and prints them; --table writes the results as JSON, from which
// docs/engines/comparison.md is made. --unjudged runs every cell once, at this share of its length,
// and lets only failed runs count: for sanitizers, which care for what the code does and have no
// time for runs long enough to judge.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "run_cell.hpp"

namespace {

using namespace measure;

struct Arguments {
  bool fresh = false;
  double unjudged = 0;  // share of the length; 0 = judged
  std::string engine, program, table;
  unsigned shard = 1, shards = 1;
};

bool parse(int argc, char** argv, Arguments* out) {
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--fresh")
      out->fresh = true;
    else if (i + 1 < argc && a == "--engine")
      out->engine = argv[++i];
    else if (i + 1 < argc && a == "--program")
      out->program = argv[++i];
    else if (i + 1 < argc && a == "--unjudged")
      out->unjudged = std::atof(argv[++i]);
    else if (i + 1 < argc && a == "--table")
      out->table = argv[++i];
    else if (i + 1 < argc && a == "--shard") {
      if (std::sscanf(argv[++i], "%u/%u", &out->shard, &out->shards) != 2) return false;
      if (out->shard < 1 || out->shard > out->shards) return false;
    } else
      return false;
  }
  return true;
}

// The table has a row for every engine and every program with a truth, so that a new one cannot be
// forgotten.
int missing_rows() {
  int missing = 0;
  for (const chancel::EngineInfo& e : chancel::engines()) {
    bool found = false;
    for (const EngineRow& row : engine_rows()) found |= e.name == row.engine;
    if (!found) fmt::print("FAIL engine {} has no row in the table\n", e.name), ++missing;
  }
  for (const std::string& p : programs_with_truth(CHANCEL_MODELS)) {
    bool found = false;
    for (const ProgramRow& row : program_rows()) found |= p == row.program;
    if (!found) fmt::print("FAIL program {} has no row in the table\n", p), ++missing;
  }
  return missing;
}

void print_line(const EngineRow& engine, const ProgramRow& program, const CellResult& r) {
  const Verdict& v = r.verdict;
  std::string line = fmt::format("{} {:22} {:32} {:5.2f}s", r.ok() ? "ok  " : "FAIL", engine.name,
                                 program.program, r.seconds);
  if (!r.failure.empty()) {
    line += "  " + r.failure;
  } else if (engine.counting == Counting::Exact) {
    line += fmt::format("  error {:.1e}", v.largest_error);
  } else {
    line += fmt::format("  x{:<4.1f} error {:.4f} catches {:.3f} t {:.1f} ks {:.1f}", r.length,
                        v.largest_error, v.smallest_bias(), v.worst_t, v.ks);
    if (v.has_evidence)
      line += fmt::format(" logZ {:+.4f}+-{:.4f}", v.log_evidence_error, v.log_evidence_se);
    line += v.ok && v.why.empty() ? "  " + v.worst : v.why;
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

nlohmann::json as_json(const EngineRow& engine, const ProgramRow& program, const CellResult& r) {
  const Verdict& v = r.verdict;
  nlohmann::json j = {{"engine", engine.name},
                      {"program", program.program},
                      {"options", options_for(engine, program)},
                      {"ok", r.ok()},
                      {"seconds", r.seconds},
                      {"draws", r.draws},
                      {"error", v.largest_error},
                      {"exact", engine.counting == Counting::Exact}};
  if (engine.counting != Counting::Exact) {
    j["smallest_bias"] = v.smallest_bias();
    j["length"] = r.length;
    j["effective"] = v.effective;
    j["t"] = v.worst_t;
  }
  if (v.has_evidence) {
    j["log_evidence_error"] = v.log_evidence_error;
    j["log_evidence_se"] = v.log_evidence_se;
  }
  return j;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, &arguments)) {
    fmt::print(stderr,
               "usage: measure_test [--fresh] [--engine ROW] [--program FILE] [--table FILE] "
               "[--unjudged LENGTH] [--shard K/N]\n");
    return 64;
  }
  std::uint64_t seed = 20240601;
  if (arguments.fresh) seed = std::random_device{}();
  fmt::print("seed {}; {} runs a cell; |t| below {}, or below {} in a second set of runs\n", seed,
             kRuns, kFirst, kSecond);
  const RecordedRuns recorded(CHANCEL_RESULTS);
  const RecordedRuns::Cells mine = recorded.shard(arguments.shard, arguments.shards);
  int passed = 0, failed = missing_rows(), skipped = 0, statistics = 0;
  double seconds = 0, blunt = 0;
  nlohmann::json table = nlohmann::json::array();
  for (const ProgramRow& program : program_rows()) {
    if (!arguments.program.empty() &&
        std::string(program.program).find(arguments.program) == std::string::npos)
      continue;
    const Truth truth = read_truth(CHANCEL_MODELS, program.program);
    chancel::Model model =
        chancel::Model::compile_file(std::string(CHANCEL_MODELS) + "/" + program.program);
    for (const EngineRow& engine : engine_rows()) {
      if (!arguments.engine.empty() && arguments.engine != engine.name) continue;
      if (const char* why = why_skipped(engine, program)) {
        if (arguments.shard > 1) continue;
        fmt::print("skip {:22} {:32} {}\n", engine.name, program.program, why);
        table.push_back({{"engine", engine.name}, {"program", program.program}, {"skipped", why}});
        ++skipped;
        continue;
      }
      if (!mine.contains({engine.name, program.program})) continue;
      const CellResult r =
          arguments.unjudged > 0
              ? run_unjudged(model, truth, engine, program, seed, arguments.unjudged)
              : run_cell(model, truth, engine, program, seed,
                         recorded.start_length(engine, program));
      print_line(engine, program, r);
      table.push_back(as_json(engine, program, r));
      ++(r.ok() ? passed : failed);
      if (engine.counting != Counting::Exact) blunt = std::max(blunt, r.verdict.smallest_bias());
      statistics += r.verdict.statistics;
      seconds += r.seconds;
    }
  }
  if (statistics > kMostStatistics / static_cast<int>(arguments.shards)) {
    fmt::print("FAIL {} statistics are more than the false-alarm rate allows for\n", statistics);
    ++failed;
  }
  if (!arguments.table.empty()) std::ofstream(arguments.table) << table.dump(1) << "\n";
  fmt::print("{} statistics, {} skipped, {:.0f} s of processor time\n", statistics, skipped,
             seconds);
  fmt::print("smallest bias caught by every cell: {:.3f} posterior standard deviations\n", blunt);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? 1 : 0;
}
