// SPDX-License-Identifier: Apache-2.0
// Linear Gaussian variables by their whole covariance matrix: an answer that knows nothing of trees,
// roots and filters.
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace delayed {

class Joint {
 public:
  // A new variable: constant + sum of (variable, coefficient) + noise. Gives its number.
  int add(double constant, const std::vector<std::pair<int, double>>& terms, double variance) {
    const auto n = mean_.size();
    mean_.conservativeResize(n + 1);
    covariance_.conservativeResize(n + 1, n + 1);
    covariance_.row(n).setZero();
    covariance_.col(n).setZero();
    mean_[n] = constant;
    Eigen::VectorXd with = Eigen::VectorXd::Zero(n);
    for (const auto& [i, c] : terms) {
      mean_[n] += c * mean_[i];
      with += c * covariance_.col(i).head(n);
    }
    double own = variance;
    for (const auto& [i, c] : terms) own += c * with[i];
    covariance_.row(n).head(n) = with.transpose();
    covariance_.col(n).head(n) = with;
    covariance_(n, n) = own;
    return static_cast<int>(n);
  }
  void observe(int variable, double value) {
    observed_.push_back(variable);
    values_.push_back(value);
  }

  struct Fit {
    double log_determinant = 0;  // of the observed variables
    double square = 0;           // of their standardised errors
    Eigen::VectorXd mean;        // of all variables, given those
    Eigen::MatrixXd covariance;
  };
  Fit fit() const {
    const auto m = static_cast<Eigen::Index>(observed_.size());
    const Eigen::MatrixXd with = covariance_(Eigen::indexing::all, observed_);
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance_(observed_, observed_));
    const Eigen::VectorXd error =
        Eigen::Map<const Eigen::VectorXd>(values_.data(), m) - mean_(observed_);
    Fit f;
    const Eigen::MatrixXd root = factor.matrixL();
    f.log_determinant = 2 * root.diagonal().array().log().sum();
    f.square = error.dot(factor.solve(error));
    f.mean = mean_ + with * factor.solve(error);
    f.covariance = covariance_ - with * factor.solve(with.transpose());
    return f;
  }
  double log_evidence() const {
    const Fit f = fit();
    const auto m = static_cast<double>(observed_.size());
    return -0.5 * (m * std::log(2 * std::numbers::pi) + f.log_determinant + f.square);
  }
  // The same when every variance is in units of one over a gamma(shape, rate) draw.
  double log_evidence(double shape, double rate) const {
    const Fit f = fit();
    const double half = static_cast<double>(observed_.size()) / 2;
    return std::lgamma(shape + half) - std::lgamma(shape) + shape * std::log(rate) -
           (shape + half) * std::log(rate + f.square / 2) - half * std::log(2 * std::numbers::pi) -
           f.log_determinant / 2;
  }
  std::size_t count() const { return observed_.size(); }

 private:
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
  std::vector<int> observed_;
  std::vector<double> values_;
};

}  // namespace delayed
