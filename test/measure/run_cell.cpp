// SPDX-License-Identifier: Apache-2.0
// See run_cell.hpp.
#include "run_cell.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

namespace measure {

void read_scalars(const Truth& truth, const chancel::Draw& draw, std::vector<double>& out) {
  out.clear();
  const chancel::ValueView* found = nullptr;
  for (std::size_t s = 0; s < truth.scalars.size(); ++s) {
    const Scalar& scalar = truth.scalars[s];
    if (s == 0 || scalar.label != truth.scalars[s - 1].label) found = draw.find(scalar.label);
    if (!found) throw std::runtime_error("no predict " + scalar.label);
    out.push_back(scalar.entry < 0 ? found->number()
                                   : found->at(static_cast<std::size_t>(scalar.entry)).number());
  }
}

namespace {

struct Cell {
  chancel::Model& model;
  const Truth& truth;
  const EngineRow& engine;
  const ProgramRow& program;
  std::uint64_t draws = 0;

  // kRuns runs with seeds of their own for each set.
  Checker run(std::uint64_t set, double length);
};

Checker Cell::run(std::uint64_t set, double length) {
  const bool exact = engine.counting == Counting::Exact;
  const std::uint64_t sweeps = sweeps_for(engine, program, length);
  const Tuning tuned = tuning(engine, program);
  const auto burn =
      engine.chain ? static_cast<std::uint64_t>(static_cast<double>(sweeps) * tuned.burn) : 0;
  Checker checker(truth);
  std::vector<double> values;
  for (int run = 0; run < (exact ? 1 : kRuns); ++run) {
    chancel::InferOptions options;
    options.algorithm = engine.engine;
    options.engine_options = chancel::read_engine_options(options_for(engine, program));
    options.samples = 0;
    options.threads = 1;
    options.thin = tuned.thin;
    // For steps the same as below, and cheaper.
    options.burn = engine.counting == Counting::Steps ? burn : 0;
    options.seed = set * 1000 + static_cast<std::uint64_t>(run) + 1;
    chancel::Inference inference = model.infer(truth.query, options);
    std::optional<std::uint64_t> first;  // not 0 where an engine learns before
    while (const chancel::Draw* draw = inference.next()) {
      if (!first) first = draw->sweep;
      if (!exact && draw->sweep - *first >= sweeps) break;
      if (draw->sweep - *first < burn) continue;
      read_scalars(truth, *draw, values);
      checker.add(run, draw->log_weight, values);
      ++draws;
    }
    const auto z = inference.statistics().log_evidence;
    if (!z || !tuned.evidence) continue;
    checker.add_evidence(run, *z);
  }
  return checker;
}

// How much longer runs have to be for the standard errors of a verdict.
double factor_needed(const EngineRow& engine, double smallest_bias, double log_evidence_se) {
  return std::max(std::pow(smallest_bias / engine.bias_bound(), 2),
                  std::pow(log_evidence_se / kEvidenceCap, 2));
}
double factor_needed(const EngineRow& engine, const Verdict& v) {
  return factor_needed(engine, v.smallest_bias(), v.has_evidence ? v.log_evidence_se : 0);
}
constexpr double kSpare = 1.15;  // standard errors come from 40 runs: so much for their own error

// Runs until the cell is sharp, judges it, and looks into alarms.
void judge(Cell& cell, std::uint64_t seed, CellResult* out) {
  constexpr int kMostTries = 4;
  std::uint64_t set = seed;
  for (int tried = 1;; ++tried) {
    out->verdict = cell.run(set++, out->length).verdict(kFirst);
    const double factor = factor_needed(cell.engine, out->verdict);
    if (factor <= 1) break;
    if (tried == kMostTries || !std::isfinite(factor)) {
      out->verdict.ok = false;
      out->verdict.why += "; too blunt to tell";
      return;
    }
    out->length *= factor * kSpare;
  }
  if (out->verdict.has_evidence && !(out->verdict.log_evidence_se <= kEvidenceCap)) {
    out->verdict.ok = false;
    out->verdict.why += "; the evidence of first sweeps is too blunt to tell";
    return;
  }
  if (out->verdict.alarms.empty()) return;
  out->confirmed = static_cast<int>(out->verdict.alarms.size());
  const Verdict second = cell.run(set, out->length * 4).verdict(kSecond, &out->verdict.alarms);
  out->verdict.ok = second.ok;
  out->verdict.why += second.ok ? "; not confirmed" : "; confirmed" + second.why;
}

template <class Work>
CellResult timed(Work&& work) {
  CellResult out;
  const std::clock_t start = std::clock();
  try {
    work(out);
  } catch (const std::exception& e) {
    out.failure = e.what();
  }
  out.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return out;
}

}  // namespace

CellResult run_cell(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                    const ProgramRow& program, std::uint64_t seed, double start_length) {
  return timed([&](CellResult& out) {
    Cell cell{model, truth, engine, program};
    out.length = start_length;
    if (engine.counting == Counting::Exact) {
      // Left out with :mass 0.995 (random-length): 0.005 of the prior, whose likelihood is at most
      // 3 times the evidence.
      const double tolerance = options_for(engine, program).empty() ? 1e-9 : 0.015;
      out.verdict = cell.run(seed, 1).exact_verdict(tolerance);
    } else {
      judge(cell, seed, &out);
    }
    out.draws = cell.draws;
  });
}

RecordedRuns::RecordedRuns(const std::string& file) {
  constexpr double kMuchLonger = 0.7;  // than needed: below, a length is not kept as it is
  constexpr double kLeast = 0.02;
  const nlohmann::json results = nlohmann::json::parse(std::ifstream(file), nullptr, false);
  if (!results.is_array()) return;
  const auto number = [](const nlohmann::json& cell, const char* key) {
    const auto found = cell.find(key);
    return found != cell.end() && found->is_number() ? found->get<double>() : 0.0;
  };
  for (const EngineRow& engine : engine_rows())
    for (const ProgramRow& program : program_rows())
      for (const nlohmann::json& cell : results) {
        if (cell.value("engine", "") != engine.name || cell.value("program", "") != program.program)
          continue;
        seconds_[{engine.name, program.program}] = number(cell, "seconds");
        const double length = number(cell, "length"), bias = number(cell, "smallest_bias");
        if (!(length > 0) || !(bias > 0)) continue;
        const double factor = factor_needed(engine, bias, number(cell, "log_evidence_se"));
        lengths_[{engine.name, program.program}] =
            factor > kMuchLonger ? length : length * std::max(factor * kSpare, kLeast);
      }
}

double RecordedRuns::start_length(const EngineRow& engine, const ProgramRow& program) const {
  const auto found = lengths_.find({engine.name, program.program});
  return found == lengths_.end() ? 1 : found->second;
}

RecordedRuns::Cells RecordedRuns::shard(unsigned number, unsigned count) const {
  std::vector<std::pair<double, std::pair<std::string, std::string>>> all;
  for (const EngineRow& engine : engine_rows())
    for (const ProgramRow& program : program_rows()) {
      if (why_skipped(engine, program)) continue;
      const auto found = seconds_.find({engine.name, program.program});
      all.push_back({found == seconds_.end() ? 1 : found->second, {engine.name, program.program}});
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<double> load(count, 0);
  Cells mine;
  for (const auto& [seconds, cell] : all) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += seconds;
    if (least - load.begin() == number - 1) mine.insert(cell);
  }
  return mine;
}

CellResult run_unjudged(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                        const ProgramRow& program, std::uint64_t seed, double length) {
  return timed([&](CellResult& out) {
    Cell cell{model, truth, engine, program};
    out.verdict = cell.run(seed, length).verdict(kStudent);
    out.verdict.ok = true;
    out.draws = cell.draws;
  });
}

}  // namespace measure
