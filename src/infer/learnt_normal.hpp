// SPDX-License-Identifier: Apache-2.0
// Proposals from a normal approximation of the posterior that warm-up learns: from the approximation
// itself, or a part of the way towards it (a first-order autoregression, which it is the stationary
// law of). In few dimensions they go much further than a walk of the same acceptance.
#pragma once
#include <Eigen/Cholesky>
#include <cmath>

#include "random/stream.hpp"

namespace chancel {

class LearntNormal {
 public:
  void add(const Eigen::VectorXd& q) {
    if (count_ == 0) {
      sum_.setZero(q.size());
      squares_.setZero(q.size(), q.size());
      origin_ = q;
    }
    ++count_;
    const Eigen::VectorXd d = q - origin_;
    sum_ += d;
    squares_ += d * d.transpose();
  }
  void forget() { count_ = 0; }  // what was added so far
  // From what was added. Too little, or all in one place: as before.
  void learn() {
    const double n = count_;
    const Eigen::Index size = sum_.size();
    if (n < 10 * static_cast<double>(size + 1)) return;
    Eigen::MatrixXd covariance = (squares_ - sum_ * sum_.transpose() / n) * (kWider / (n - 1));
    const Eigen::VectorXd mean = origin_ + sum_ / n;
    const Eigen::LLT<Eigen::MatrixXd> llt(covariance);
    if (llt.info() != Eigen::Success || !(covariance.diagonal().minCoeff() > 0)) return;
    mean_ = mean;
    factor_ = llt.matrixL();
  }
  bool known() const { return factor_.size() > 0; }
  const Eigen::VectorXd& mean() const { return mean_; }

  // q' with correlation `share` to q.
  Eigen::VectorXd propose(const Eigen::VectorXd& q, double share, Stream& stream) const {
    Eigen::VectorXd z(q.size());
    for (double& x : z) x = stream.normal();
    return mean_ + share * (q - mean_) + std::sqrt(1 - share * share) * (factor_ * z);
  }
  double log_density(const Eigen::VectorXd& q) const {
    return -0.5 * factor_.triangularView<Eigen::Lower>().solve(q - mean_).squaredNorm();
  }

 private:
  static constexpr double kWider = 1.3;  // of the variances: a proposal should have wider tails
  double count_ = 0;
  Eigen::VectorXd sum_, origin_, mean_;
  Eigen::MatrixXd squares_, factor_;
};

}  // namespace chancel
