// SPDX-License-Identifier: Apache-2.0
// Runs one engine on one program, kRuns times with independent seeds, and checks what comes out.
// A cell sizes itself: it is run again, longer and with other seeds, until it is sharp enough to be
// judged (checker.hpp says what that means). Only standard errors decide that, never deviations. It
// starts at the length that sufficed in the results that are checked in.
#pragma once
#include <chancel/chancel.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cells.hpp"
#include "checker.hpp"

namespace measure {

struct CellResult {
  Verdict verdict;
  double seconds = 0;  // processor time
  std::uint64_t draws = 0;
  double length = 1;    // of the runs that were judged, in units of the table
  int confirmed = 0;    // alarms of the first stage that the second looked into
  std::string failure;  // the run itself failed
  bool ok() const { return failure.empty() && verdict.ok; }
};

// The scalars of the truth in a draw, in order. Throws chancel::Error or std::runtime_error when
// one is missing.
void read_scalars(const Truth& truth, const chancel::Draw& draw, std::vector<double>& out);

CellResult run_cell(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                    const ProgramRow& program, std::uint64_t seed, double start_length = 1);
// The results of a run that are checked in (measure_test --table).
class RecordedRuns {
 public:
  explicit RecordedRuns(const std::string& file);
  // The length to start at; 1 where they do not have the cell.
  double start_length(const EngineRow& engine, const ProgramRow& program) const;
  // The cells (engine row, program) of shard 1 .. count: the dearest first, each to the shard that has
  // least to do so far, by the seconds that they took.
  using Cells = std::set<std::pair<std::string, std::string>>;
  Cells shard(unsigned number, unsigned count) const;

 private:
  std::map<std::pair<std::string, std::string>, double> lengths_, seconds_;
};
// One set of runs, `length` times as long as the table says, of which only failures count.
CellResult run_unjudged(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                        const ProgramRow& program, std::uint64_t seed, double length);

}  // namespace measure
