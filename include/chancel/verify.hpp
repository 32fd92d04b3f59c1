// SPDX-License-Identifier: Apache-2.0
// Is the engine right on this program, and do engines agree on these data? docs/verify.md explains
// what is computed.
//
//   chancel::VerifyOptions options;
//   options.infer.algorithm = "smc";
//   chancel::Verification v = chancel::verify(text, {}, "coin", options);
//   if (!v.passed) ...
//
// Simulation-based calibration: data sets are simulated from the program's prior, each is given to
// the engine in place of what the program observes, and each number that the query predicts is
// ranked among posterior draws. Ranks of a right engine are uniform. Throws chancel::Error.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel {

// What one simulated data set gave.
struct SimulatedData {
  std::string engine;  // that made the posterior draws
  struct Rank {
    std::string label;
    double value = 0;  // that the data were simulated with
    double rank = 0;   // 0 to 1: share of posterior draws below it, ties broken at random
  };
  std::vector<Rank> ranks;
  struct Observed {
    std::size_t line = 0;
    double value = 0;
  };
  std::vector<Observed> observed;  // simulated values that are numbers
};

struct VerifyOptions {
  // As for Model::infer. Draws of each data set: 1000 when not given, the first quarter of them again
  // left out before. The seed counts for all.
  InferOptions infer;
  unsigned datasets = 200;
  double false_alarm = 0.01;  // the most that a right program and engine fail
  // What a stopped verification has found already, and where to keep what is found. `done` is called
  // by one thread at a time.
  std::function<std::optional<SimulatedData>(unsigned dataset)> known;
  std::function<void(unsigned dataset, const SimulatedData&)> done;
};

struct CalibratedLabel {
  std::string label;
  std::vector<double> ranks;
  double p_value = 1;  // of uniform ranks
  bool uniform = true;
};

// Of simulated values: what the program expects before it has seen data.
struct PriorPredictive {
  std::size_t line = 0;
  std::uint64_t values = 0;
  double mean = 0, sd = 0, q5 = 0, q50 = 0, q95 = 0;
};

struct Verification {
  std::vector<CalibratedLabel> labels;
  std::vector<PriorPredictive> observes;
  std::string engine;
  unsigned datasets = 0;  // that were done
  double false_alarm = 0;
  bool passed = true;
  bool interrupted = false;
  std::vector<double> band_low, band_high;  // of the ranks' distribution function, at equal steps
};
Verification verify(const std::string& program, const CompileOptions& compile,
                    const std::string& query, const VerifyOptions& options);

// A page of rank histograms that needs nothing else.
std::string verify_page(const Verification& v, const std::string& title);

// Several engines on the program's own data.
struct Disagreement {
  std::string label, first, second;  // engines
  double first_mean = 0, second_mean = 0;
  double errors = 0;  // the difference in its standard errors
};
struct Agreement {
  std::vector<Disagreement> pairs;  // every label and pair of engines, the largest difference first
  double most_errors = 0;           // that agreeing engines leave with probability false_alarm
  bool passed = true;
};
Agreement agree(Model& model, const std::string& query, const InferOptions& options,
                const std::vector<std::string>& engines, double false_alarm = 0.01);

}  // namespace chancel
