// SPDX-License-Identifier: Apache-2.0
// Robust adaptive Metropolis (Vihola 2012): a normal random walk over all coordinates together, whose
// covariance is changed after each move of warm-up along the direction that was just tried, so that the
// acceptance comes to 0.234 (0.44 in one dimension). It needs values of the density only. The walk does
// not change after warm-up. A move costs one value, and some operations by the square of the dimension.
#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "gradient/log_density.hpp"
#include "random/stream.hpp"

namespace chancel {

struct WalkFigures {      // of one move
  double acceptance = 0;  // its probability
  bool accepted = false;
};

// Its proposals.
class WalkProposal {
 public:
  explicit WalkProposal(const Eigen::VectorXd& scales);
  Eigen::VectorXd propose(const Eigen::VectorXd& q, Stream& stream);
  // The last proposal had this probability of being accepted.
  void learn(double acceptance);
  const Eigen::MatrixXd& factor() const { return factor_; }
  void set_factor(const Eigen::MatrixXd& factor) { factor_ = factor; }

 private:
  Eigen::MatrixXd factor_;
  Eigen::VectorXd normals_, step_;  // step = factor * normals: what was tried
  std::uint64_t done_ = 0;
};

class AdaptiveWalk {
 public:
  // `scales`: about the standard deviations of the coordinates; warm-up finds better ones.
  AdaptiveWalk(LogDensity& density, const Eigen::VectorXd& scales, std::uint64_t warmup);

  // Puts the chain at q. False: the density is zero there; choose another q.
  bool start(const Eigen::VectorXd& q);
  const Eigen::VectorXd& position() const { return at_; }
  double log_density() const { return log_density_; }

  WalkFigures move(Stream& stream);
  bool warming_up() const;
  // A lower triangle: proposals are normal with covariance factor * factor^T.
  const Eigen::MatrixXd& factor() const { return proposal_.factor(); }
  void set_factor(const Eigen::MatrixXd& factor) { proposal_.set_factor(factor); }

 private:
  LogDensity& density_;
  WalkProposal proposal_;
  Eigen::VectorXd at_, proposed_;
  double log_density_ = 0;
  std::uint64_t warmup_, done_ = 0;
};

}  // namespace chancel
