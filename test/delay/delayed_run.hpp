// SPDX-License-Identifier: Apache-2.0
// Runs of a program text with an engine.
#pragma once
#include <chancel/chancel.hpp>
#include <map>
#include <string>
#include <vector>

namespace delayed {

struct Outcome {
  double log_evidence = 0;
  double spread = 0;  // standard deviation of the log evidence over sweeps
  std::map<std::string, std::vector<double>> predicts;
  std::vector<double> log_weights;
  std::string bits;  // all draws, their weights and the evidence
};

struct Setting {
  const char* engine;
  std::string options;
};

Outcome run(const std::string& program, const Setting& setting, std::uint64_t samples,
            std::uint64_t seed, unsigned threads = 1);

}  // namespace delayed
