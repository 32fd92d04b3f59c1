// SPDX-License-Identifier: Apache-2.0
// The moves of a tempered population, tuned from one temperature to the next: how many there are, their
// step sizes and scales. What is learnt at a temperature is used at the next one only, so that the
// chains of a temperature are independent of their own tuning.
#pragma once
#include <vector>

#include "infer/engine.hpp"
#include "tempering/tempered_population.hpp"

namespace chancel {

class TemperedTuner {
 public:
  // `steps` moves from one state to the next; 0: as many as there are draws, one for nuts. `noise`:
  // moves by noise beside single-site steps.
  TemperedTuner(TemperedPopulation& population, MoveKind kind, std::uint64_t steps, bool noise)
      : population_(population), kind_(kind), steps_(steps), noise_(noise) {}

  // A run from the prior to the posterior begins.
  void begin() { all_steps_ = kind_ == MoveKind::SingleSite; }
  // By the population of the temperature before, with its weights at the new one. False: the
  // population has failed.
  bool tune(StreamName name, const std::vector<double>& weights, bool from_prior,
            TemperedTuning* tuning);
  void learn_from(const std::vector<TemperedFigures>& figures, TemperedTuning* tuning,
                  EngineStatistics* statistics);

 private:
  std::size_t noise_moves(std::size_t steps) const;
  double mean_draws() const;
  bool tune_moves(StreamName name, const std::vector<double>& weights, bool from_prior,
                  TemperedTuning* tuning);
  bool find_step_sizes(StreamName name, TemperedTuning* tuning);

  TemperedPopulation& population_;
  MoveKind kind_;
  std::uint64_t steps_;
  bool noise_;
  // Single-site steps for all draws: states have different ones, or are not all recorded.
  bool all_steps_ = false;
};

}  // namespace chancel
