// SPDX-License-Identifier: Apache-2.0
// The mode of a log density by L-BFGS: the two-loop recursion over the last steps (Nocedal & Wright,
// algorithm 7.4) and a line search by doubling and bisection for the weak Wolfe conditions (Lewis &
// Overton 2013), which needs no more than that points outside the support are worse than those inside.
#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "gradient/log_density.hpp"

namespace chancel {

enum class ModeEnd : std::uint8_t {
  Converged,
  Rising,    // without end, or after all steps: perhaps there is no mode
  Stuck,     // the gradient points to where the density does not rise
  BadStart,  // the density is zero at the start, or has no gradient
};

struct Mode {
  ModeEnd end = ModeEnd::BadStart;
  Eigen::VectorXd q, gradient;
  double log_density = 0;
  unsigned steps = 0, evaluations = 0;
};

// Climbs from `start` until a further step promises less than 1e-12 in log density.
Mode find_mode(LogDensity& density, const Eigen::VectorXd& start, unsigned max_steps = 2000);

}  // namespace chancel
