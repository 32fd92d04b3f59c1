// SPDX-License-Identifier: Apache-2.0
#include "gradient/normal_approximation.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/special.hpp"

namespace chancel {

namespace {
// Newton steps continue until one promises to raise the log density by less: 1e-5 widths from the
// mode.
constexpr double kPromise = 1e-10;
}  // namespace

bool Laplace::compute_precision() {
  const Eigen::Index n = mode_.q.size();
  // The precision, a copy of it, its factor, and a decomposition at work.
  density_.room_for(4 * static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  precision_.resize(n, n);
  Eigen::VectorXd q = mode_.q, below(n);
  gradient_.resize(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    double h = 1e-3 * widths_[j];
    bool inside = false;
    for (int tries = 0; tries < 6 && !inside; ++tries, h /= 4) {
      const double x = mode_.q[j];
      const double left = x - h, right = x + h;
      q[j] = left;
      inside = std::isfinite(density_.at(q, below)) && below.allFinite();
      q[j] = right;
      inside = inside && std::isfinite(density_.at(q, gradient_)) && gradient_.allFinite();
      q[j] = x;
      if (inside) precision_.col(j) = (below - gradient_) / (right - left);
    }
    if (!inside) return false;
  }
  precision_ = (0.5 * (precision_ + precision_.transpose())).eval();
  return true;
}

namespace {
// Above this dimension a decomposition takes so long that the limits of the run are looked at.
constexpr Eigen::Index kLarge = 1000;

// Cholesky decomposition of the lower triangle in place, panel by panel, with a look at the limits before each. The
// first pivot that is too small for rounding errors, or -1.
Eigen::Index factorise_in_panels(Eigen::MatrixXd& a, const LogDensity& density) {
  constexpr Eigen::Index kPanel = 64;
  const Eigen::Index n = a.rows();
  const Eigen::VectorXd diagonal = a.diagonal();
  for (Eigen::Index k = 0; k < n; k += kPanel) {
    const Eigen::Index width = std::min(kPanel, n - k), rest = n - k - width;
    density.look();
    const Eigen::LLT<Eigen::MatrixXd> block(a.block(k, k, width, width));
    const Eigen::ArrayXd pivots = block.matrixLLT().diagonal();
    for (Eigen::Index i = 0; i < width; ++i)
      if (!(pivots[i] * pivots[i] > 1e-10 * diagonal[k + i])) return k + i;
    if (block.info() != Eigen::Success) return k;
    a.block(k, k, width, width) = block.matrixL();
    if (rest == 0) break;
    auto below = a.block(k + width, k, rest, width);
    block.matrixL().transpose().solveInPlace<Eigen::OnTheRight>(below);
    a.block(k + width, k + width, rest, rest)
        .selfadjointView<Eigen::Lower>()
        .rankUpdate(below, -1.0);
  }
  return -1;
}
}  // namespace

bool Laplace::factorise() {
  if (precision_.rows() > kLarge) {
    factor_ = precision_;
    const Eigen::Index small = factorise_in_panels(factor_, density_);
    if (small >= 0) {
      flat_coordinate_ = small;
      return false;
    }
    factor_.triangularView<Eigen::StrictlyUpper>().setZero();
    return true;
  }
  const Eigen::LLT<Eigen::MatrixXd> cholesky(precision_);
  // Rounding can make a flat direction look curved by this share of the steepest one.
  const Eigen::ArrayXd pivots = cholesky.matrixLLT().diagonal();
  if (cholesky.info() == Eigen::Success &&
      (pivots.square() > 1e-10 * precision_.diagonal().array()).all()) {
    factor_ = cholesky.matrixL();
    return true;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(precision_);
  axes.eigenvectors().col(0).cwiseAbs().maxCoeff(&flat_coordinate_);
  return false;
}

bool Laplace::take(Eigen::VectorXd step) {
  const double noise = kPromise + 1e-13 * std::fabs(mode_.log_density);
  for (int halvings = 0; halvings < 20; ++halvings, step *= 0.5) {
    const Eigen::VectorXd q = mode_.q + step;
    const double log_density = density_.at(q, gradient_);
    if (!(log_density - mode_.log_density >= -noise) || !gradient_.allFinite()) continue;
    mode_.q = q;
    mode_.gradient = gradient_;
    mode_.log_density = log_density;
    return true;
  }
  return false;
}

LaplaceEnd Laplace::fit(const Eigen::VectorXd& start) {
  mode_ = find_mode(density_, start);
  // L-BFGS also gets stuck where rounding ends all progress; then Newton steps decide.
  if (mode_.end != ModeEnd::Converged && mode_.end != ModeEnd::Stuck) return LaplaceEnd::NoMode;
  widths_ = mode_.q.cwiseAbs().cwiseMax(1) * 0.01;
  bool measured = false;  // the widths are those at the mode
  for (int turn = 0; turn < 20; ++turn) {
    if (!compute_precision()) return LaplaceEnd::Edge;
    if (!factorise()) return LaplaceEnd::Flat;
    widths_ = precision_.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::VectorXd step = factor_.triangularView<Eigen::Lower>().transpose().solve(
        factor_.triangularView<Eigen::Lower>().solve(mode_.gradient));
    const bool there = 0.5 * step.dot(mode_.gradient) < kPromise;
    if (there && measured) return LaplaceEnd::Fitted;
    measured = there;
    if (!take(step)) break;
  }
  mode_.end = ModeEnd::Stuck;
  return LaplaceEnd::NoMode;
}

Eigen::MatrixXd Laplace::covariance() const {
  const Eigen::Index n = factor_.rows();
  const Eigen::MatrixXd inverse =
      factor_.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(n, n));
  return inverse.transpose() * inverse;
}

double Laplace::log_evidence() const {
  const double n = static_cast<double>(factor_.rows());
  return mode_.log_density + n * kLogSqrtTwoPi - factor_.diagonal().array().log().sum();
}

double Laplace::draw(Stream& stream, Eigen::VectorXd& q) {
  q.resize(factor_.rows());
  for (double& x : q) x = stream.normal();
  const double log_normal = -0.5 * q.squaredNorm();
  factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(q);
  q += mode_.q;
  const double log_density = density_.value_at(q);
  // The density of the approximation is exp(log_normal + log density at the mode) over the evidence.
  const double log_ratio = log_density - log_normal - mode_.log_density + log_evidence();
  return std::isfinite(log_density) ? log_ratio : -std::numeric_limits<double>::infinity();
}

}  // namespace chancel
