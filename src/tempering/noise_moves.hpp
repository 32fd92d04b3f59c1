// SPDX-License-Identifier: Apache-2.0
// Moves of all draws of an execution together in terms of their noise (noise.hpp), discrete ones too, at a
// temperature. A population says how the noise lies there, about: a normal. A proposal goes a part of the
// way towards a draw from that normal (a first-order autoregression, as in the preconditioned
// Crank-Nicolson method of Cotter, Roberts, Stuart & White 2013); the ratio corrects for where it is not
// normal.
#pragma once
#include <Eigen/Core>
#include <map>
#include <vector>

#include "gradient/continuous_mover.hpp"
#include "single_site/trace.hpp"

namespace chancel {

// The noise of an execution.
struct NoisePlace {
  Eigen::VectorXd at;
  std::uint64_t signature = 0;  // of the places of its draws
  bool known = false;           // all of it has its digits
};
// False: the trace has failed.
bool find_noise(Trace& trace, Stream& stream, NoisePlace* out);

// A normal: at first that of the prior, zero and one.
class NoiseNormal {
 public:
  explicit NoiseNormal(Eigen::Index dimension);
  // Of these points, as far as they are many.
  NoiseNormal(const std::vector<WeightedPoint>& points);
  Eigen::Index dimension() const { return mean_.size(); }
  // `scale` of the way from `at` to a draw.
  Eigen::VectorXd propose(const Eigen::VectorXd& at, double scale, Stream& stream) const;
  double log_density(const Eigen::VectorXd& at) const;  // up to a constant

 private:
  Eigen::VectorXd mean_;
  Eigen::MatrixXd factor_;  // or, where it is empty,
  Eigen::VectorXd scales_;
};

// What moves in one structure are made with.
struct NoiseTuning {
  std::vector<NoiseNormal> normals;  // by fold
  double log_scale = -0.7;
};
using NoiseTunings = std::map<std::uint64_t, NoiseTuning>;  // by signature

NoiseTunings tune_to(const std::vector<WeightedPoint>& points, const NoiseTunings& before);
// Towards acceptances that suit the moves.
void learn(const AcceptanceRates& figures, NoiseTunings& tunings);

// False: the trace has failed.
bool move_noise(Trace& trace, double temperature, const NoiseTunings& tunings, std::size_t fold,
                Stream& stream, AcceptanceRates* figures);

}  // namespace chancel
