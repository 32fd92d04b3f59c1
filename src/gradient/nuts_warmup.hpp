// SPDX-License-Identifier: Apache-2.0
// Warm-up of a NUTS chain as Stan has it. The step size is tuned throughout. The metric is estimated
// in windows, each twice as long as the one before: they lie between a first part of 75 moves, which
// finds the bulk of the posterior, and a last one of 50, which tunes the step size for the last
// metric. Shorter warm-ups keep 15 % and 10 % for these parts and have one window; below 20 moves only
// the step size is tuned. Nothing changes afterwards.
#pragma once
#include "gradient/nuts_move.hpp"
#include "gradient/step_size.hpp"

namespace chancel {

class NutsWarmup {
 public:
  NutsWarmup(NutsMove& move, std::uint64_t length, double wanted_acceptance);
  // Before the first move. False: no step size works (NutsMove::find_step_size).
  bool begin(Stream& stream);
  // After each move, until over.
  void learn(const NutsFigures& figures, Stream& stream);
  bool over() const;
  // Before its length is reached: what was learnt so far stays.
  void end();

 private:
  void end_window(Stream& stream);

  NutsMove& move_;
  StepSizeTuner tuner_;
  CovarianceEstimate estimate_;
  std::uint64_t length_, done_ = 0;  // moves
  std::uint64_t windows_from_, windows_to_;
  std::uint64_t window_, window_end_;  // the present one's length and end
};

}  // namespace chancel
