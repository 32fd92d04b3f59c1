// SPDX-License-Identifier: Apache-2.0
#include "gradient/metric.hpp"

#include <Eigen/Cholesky>

namespace chancel {

Metric::Metric(Eigen::Index dimension, bool dense) : dense_(dense) {
  if (dense)
    inverse_ = factor_ = Eigen::MatrixXd::Identity(dimension, dimension);
  else
    diagonal_ = deviations_ = Eigen::VectorXd::Ones(dimension);
}

void Metric::draw_momentum(Stream& stream, Eigen::VectorXd& p) const {
  for (double& x : p) x = stream.normal();
  if (dense_)
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(p);
  else
    p.array() /= deviations_.array();
}

void Metric::velocity(const Eigen::VectorXd& p, Eigen::VectorXd& v) const {
  if (dense_)
    v.noalias() = inverse_ * p;
  else
    v.array() = diagonal_.array() * p.array();
}

void Metric::set_variances(const Eigen::VectorXd& variances) {
  if (!variances.allFinite() || !(variances.array() > 0).all()) return;
  diagonal_ = variances;
  deviations_ = variances.cwiseSqrt();
}

void Metric::set_covariance(const Eigen::MatrixXd& covariance) {
  if (!covariance.allFinite()) return;  // LLT does not see NaN
  const Eigen::LLT<Eigen::MatrixXd> cholesky(covariance);
  if (cholesky.info() != Eigen::Success) return;
  inverse_ = covariance;
  factor_ = cholesky.matrixL();
}

CovarianceEstimate::CovarianceEstimate(Eigen::Index dimension, bool dense)
    : dense_(dense), mean_(dimension), delta_(dimension) {
  if (dense)
    products_.resize(dimension, dimension);
  else
    squares_.resize(dimension);
  restart();
}

void CovarianceEstimate::restart() {
  count_ = 0;
  mean_.setZero();
  squares_.setZero();
  products_.setZero();
}

void CovarianceEstimate::add(const Eigen::VectorXd& x) {
  ++count_;
  delta_ = x - mean_;
  mean_ += delta_ / static_cast<double>(count_);
  if (dense_)
    products_.noalias() += (x - mean_) * delta_.transpose();
  else
    squares_.array() += (x - mean_).array() * delta_.array();
}

void CovarianceEstimate::give_to(Metric& metric) const {
  if (count_ < 2) return;
  const double n = static_cast<double>(count_);
  const double scale = n / (n + 5) / (n - 1), floor = 1e-3 * 5 / (n + 5);
  if (dense_) {
    Eigen::MatrixXd covariance = products_ * scale;
    covariance.diagonal().array() += floor;
    metric.set_covariance(covariance);
  } else {
    metric.set_variances((squares_.array() * scale + floor).matrix());
  }
}

}  // namespace chancel
