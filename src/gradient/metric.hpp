// SPDX-License-Identifier: Apache-2.0
// The Euclidean metric of Hamiltonian moves, stored as its inverse, which warm-up sets to an
// estimate of the posterior's covariance: its diagonal, or the whole matrix.
#pragma once
#include <Eigen/Core>
#include <cstdint>

#include "random/stream.hpp"

namespace chancel {

class Metric {
 public:
  // The identity.
  Metric(Eigen::Index dimension, bool dense);
  bool dense() const { return dense_; }
  // p ~ normal(0, metric)
  void draw_momentum(Stream& stream, Eigen::VectorXd& p) const;
  // v = inverse * p
  void velocity(const Eigen::VectorXd& p, Eigen::VectorXd& v) const;

  // Replaces the inverse. One that is not finite or not positive definite is ignored: any metric
  // gives a correct sampler, so the one before stays.
  void set_variances(const Eigen::VectorXd& variances);
  void set_covariance(const Eigen::MatrixXd& covariance);
  // Of the inverse.
  Eigen::VectorXd variances() const { return dense_ ? inverse_.diagonal() : diagonal_; }

 private:
  bool dense_;
  Eigen::VectorXd diagonal_, deviations_;  // diagonal: of the inverse, and its square roots
  Eigen::MatrixXd inverse_, factor_;       // dense: inverse = factor * factor^T
};

// Mean and (co)variance of draws as they come (Welford), shrunk towards 0.001 times the identity with
// the weight of five draws.
class CovarianceEstimate {
 public:
  CovarianceEstimate(Eigen::Index dimension, bool dense);
  void add(const Eigen::VectorXd& x);
  void give_to(Metric& metric) const;
  void restart();

 private:
  bool dense_;
  std::uint64_t count_ = 0;
  Eigen::VectorXd mean_, delta_;
  Eigen::VectorXd squares_;   // diagonal
  Eigen::MatrixXd products_;  // dense
};

}  // namespace chancel
