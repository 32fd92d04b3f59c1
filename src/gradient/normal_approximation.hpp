// SPDX-License-Identifier: Apache-2.0
// The normal approximation of a density at its mode. The Hessian comes from central differences of
// gradients (twice the dimension evaluations), over distances of a thousandth of the width that it
// shows itself; the mode of L-BFGS is improved by Newton steps with it, so that it is exact to a
// small part of the width. Draws come with their log importance ratios, from which smooth_pareto_tail
// (math/pareto_smoothing.hpp) computes whether the approximation can be trusted.
#pragma once
#include <Eigen/Core>

#include "gradient/lbfgs.hpp"
#include "gradient/log_density.hpp"
#include "random/stream.hpp"

namespace chancel {

enum class LaplaceEnd : std::uint8_t {
  Fitted,
  NoMode,  // see mode().end
  Flat,    // the density does not fall away from the mode in all directions: see flat_coordinate()
  Edge,    // the mode is at the edge of the support, or a gradient beside it cannot be computed
};

class Laplace {
 public:
  explicit Laplace(LogDensity& density) : density_(density) {}
  LaplaceEnd fit(const Eigen::VectorXd& start);
  const Mode& mode() const { return mode_; }
  // The coordinate that has most to do with the direction that does not fall.
  Eigen::Index flat_coordinate() const { return flat_coordinate_; }

  // After fit() gave Fitted:
  Eigen::MatrixXd covariance() const;
  // The logarithm of the integral of the density, if it were normal.
  double log_evidence() const;
  // A draw of the approximation; gives the log of density over approximate density, -inf outside the
  // support. The mean of the ratios estimates the evidence.
  double draw(Stream& stream, Eigen::VectorXd& q);

 private:
  bool compute_precision();  // minus the Hessian at the mode
  bool factorise();
  bool take(Eigen::VectorXd step);  // of the mode, or a part of it that does not lower the density

  LogDensity& density_;
  Mode mode_;
  Eigen::VectorXd widths_;              // one over the root of the precision's diagonal
  Eigen::MatrixXd precision_, factor_;  // precision = factor * factor^T
  Eigen::VectorXd gradient_;
  Eigen::Index flat_coordinate_ = 0;
};

}  // namespace chancel
