// SPDX-License-Identifier: Apache-2.0
// Nesterov's dual averaging of a log step size towards a wanted acceptance rate (Hoffman & Gelman
// 2014, section 3.2), with Stan's constants.
#pragma once
#include <cmath>

#include "math/elementary.hpp"

namespace chancel {

class StepSizeTuner {
 public:
  explicit StepSizeTuner(double wanted) : wanted_(wanted) {}
  // Restarts: sizes are pulled towards ten times this one, since trying large steps is cheap.
  void restart(double step) {
    centre_ = math::log(10 * step);
    begun_with_ = step;
    count_ = error_ = averaged_ = 0;
  }
  // The next size to try, after a move with this acceptance.
  double learn(double acceptance) {
    ++count_;
    const double weight = 1 / (count_ + kDelay);
    error_ = (1 - weight) * error_ + weight * (wanted_ - std::fmin(1.0, acceptance));
    const double tried = centre_ - error_ * std::sqrt(count_) / kShrinkage;
    const double share = math::pow(count_, -kDecay);
    averaged_ = share * tried + (1 - share) * averaged_;
    return math::exp(tried);
  }
  // The size for the time after warm-up: an average over those tried; while they are few,
  // those that were too large on purpose outweigh the others.
  double final_step() const { return count_ < kEnough ? begun_with_ : math::exp(averaged_); }

 private:
  static constexpr double kShrinkage = 0.05, kDecay = 0.75, kDelay = 10, kEnough = 10;
  double wanted_, begun_with_ = 1;
  double centre_ = 0, count_ = 0, error_ = 0, averaged_ = 0;
};

}  // namespace chancel
