// SPDX-License-Identifier: Apache-2.0
// Runs one engine on one program, kRuns times with independent seeds, and checks what comes out.
#pragma once
#include <chancel/chancel.hpp>
#include <string>
#include <vector>

#include "cells.hpp"
#include "checker.hpp"

namespace measure {

struct CellResult {
  Verdict verdict;
  double seconds = 0;  // processor time
  std::uint64_t draws = 0;
  std::string failure;  // the run itself failed
  bool ok() const { return failure.empty() && verdict.ok; }
};

// The scalars of the truth in a draw, in order. Throws chancel::Error or std::runtime_error when
// one is missing.
void read_scalars(const Truth& truth, const chancel::Draw& draw, std::vector<double>& out);

// `length` multiplies the length of the runs.
CellResult run_cell(chancel::Model& model, const Truth& truth, const EngineRow& engine,
                    const ProgramRow& program, std::uint64_t seed, double length = 1);

}  // namespace measure
