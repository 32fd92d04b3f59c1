// SPDX-License-Identifier: Apache-2.0
// The engines that are enumerated: which engine, on which program, with which options. exact_test runs
// the cases; test/calibration reads the engines from them, to see that `auto` chooses none that is
// tested in neither way.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "exact_program.hpp"

namespace exact {

// Engines with evidence: the weighted output of the first step.
struct WeightedCase {
  const char* name;
  const char* program;
  const char* engine;
  Options options;
  unsigned cells;
};
const std::vector<WeightedCase>& weighted_cases();

// Markov chains: the last of `steps` steps.
struct ChainCase {
  const char* name;
  const char* program;
  const char* engine;
  Options options;
  std::size_t steps;
  unsigned cells;
};
const std::vector<ChainCase>& chain_cases();

// A case has it; or it is `enumerate`, whose tables are compared with numbers worked out by hand.
bool is_enumerated(const std::string& engine);

}  // namespace exact
