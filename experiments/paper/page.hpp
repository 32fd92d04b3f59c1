// SPDX-License-Identifier: Apache-2.0
// The results as files for people: one table of raw data for each experiment, the figures, the
// findings, and index.html, which holds all figures and needs nothing else.
#pragma once
#include <vector>

#include "paper/experiment.hpp"

namespace chancel::paper {

struct Told {
  const Experiment* experiment;
  std::vector<Cell> cells;
};
void write_results(const Settings& settings, const Store& store, const std::vector<Told>& told);

}  // namespace chancel::paper
