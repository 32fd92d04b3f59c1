// SPDX-License-Identifier: Apache-2.0
// The table of the gate: every engine (some with several settings) on every program that has a
// truth, how long to run, how sharp the result has to be, and the few pairs that cannot work, with
// the reason.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "checker.hpp"

namespace measure {

// How an engine's `sweep` numbers are counted, and so how long it runs.
enum class Counting {
  Executions,  // one a sweep
  Particles,   // a population a sweep
  Nodes,       // kNodes populations a sweep
  Steps,       // one single-site step a sweep
  Moves,       // one move of all continuous draws a sweep
  Tempered,    // a population led from the prior to the posterior a sweep
  Kept,        // one kept execution a sweep (rejection)
  Exact        // to the end, once
};

struct EngineRow {
  const char* name;  // of the row: the engine, and its setting where it has several
  const char* engine;
  const char* options;  // {N} stands for the number of particles of the program
  Counting counting;
  bool chain;    // a Markov chain: the first part of each run is dropped
  bool variant;  // another row's kernel with another resampling scheme, or several chains of it
  // test/exact goes through all random numbers of this kernel: a wider bound on the bias suffices here.
  bool enumerated;
  double bias_bound() const { return enumerated ? kEnumeratedBias : kBias; }
};

// Lengths are where a cell starts; it grows until it is sharp enough (run_cell.hpp).
struct ProgramRow {
  const char* program;  // under models/
  std::uint32_t particles;
  std::uint64_t executions;  // of each of the kRuns runs
  std::uint64_t steps;       // of single-site engines, in each run
  std::uint64_t kept;        // of rejection, in each run
  const char* log_bound;     // of the likelihood, for rejection
};

const std::vector<EngineRow>& engine_rows();
const std::vector<ProgramRow>& program_rows();

// Why this pair is left out; null when it is not.
const char* why_skipped(const EngineRow& engine, const ProgramRow& program);
// Differences from the rows.
struct Tuning {
  double length = 1;     // factor on the length of runs
  double burn = 0.2;     // share of a chain's run that is dropped
  unsigned thin = 1;     // every thin-th draw is looked at
  bool evidence = true;  // is judged
};
Tuning tuning(const EngineRow& engine, const ProgramRow& program);
// Algorithm options as text.
std::string options_for(const EngineRow& engine, const ProgramRow& program);
// How many of the engine's sweeps make a run; `length` multiplies.
std::uint64_t sweeps_for(const EngineRow& engine, const ProgramRow& program, double length);

}  // namespace measure
