// SPDX-License-Identifier: Apache-2.0
// Densities whose draws can be made directly, for tests of the moves on LogDensity.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "gradient/log_density.hpp"
#include "random/stream.hpp"

namespace chancel {

struct KnownDensity : LogDensity {
  explicit KnownDensity(Eigen::Index dimension) : n(dimension) {}
  Eigen::Index dimension() const override { return n; }
  virtual Eigen::VectorXd draw(Stream& stream) const = 0;
  Eigen::VectorXd normals(Stream& stream) const {
    return Eigen::VectorXd::NullaryExpr(n, [&] { return stream.normal(); });
  }
  Eigen::Index n;
};

struct StandardNormal : KnownDensity {
  using KnownDensity::KnownDensity;
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    gradient = -q;
    return -0.5 * q.squaredNorm();
  }
  Eigen::VectorXd draw(Stream& stream) const override { return normals(stream); }
};

// Variances from 1 down to 1 / condition, about 1, 2, 3 ..., along the columns of a reflection that
// mixes all coordinates.
struct CorrelatedNormal : KnownDensity {
  CorrelatedNormal(Eigen::Index dimension, double condition) : KnownDensity(dimension) {
    mean = Eigen::VectorXd::LinSpaced(n, 1, static_cast<double>(n));
    const Eigen::VectorXd u = Eigen::VectorXd::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
    Eigen::MatrixXd axes = Eigen::MatrixXd::Identity(n, n) - 2 * u * u.transpose();
    const Eigen::ArrayXd logs = Eigen::ArrayXd::LinSpaced(n, 0, -0.5 * std::log(condition));
    factor = axes * logs.exp().matrix().asDiagonal();
    covariance = factor * factor.transpose();
    precision = covariance.inverse();
  }
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    gradient.noalias() = -precision * (q - mean);
    return 0.5 * (q - mean).dot(gradient);
  }
  Eigen::VectorXd draw(Stream& stream) const override { return mean + factor * normals(stream); }
  Eigen::VectorXd mean;
  Eigen::MatrixXd factor, covariance, precision;
};

// The first is normal(0, 1), the second normal(its square, 0.5).
struct Banana : KnownDensity {
  Banana() : KnownDensity(2) {}
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    const double off = (q[1] - q[0] * q[0]) / 0.25;
    gradient[0] = -q[0] + 2 * q[0] * off;
    gradient[1] = -off;
    return -0.5 * q[0] * q[0] - 0.5 * 0.25 * off * off;
  }
  Eigen::VectorXd draw(Stream& stream) const override {
    Eigen::VectorXd q(2);
    q[0] = stream.normal();
    q[1] = q[0] * q[0] + 0.5 * stream.normal();
    return q;
  }
};

// Exponential draws: the density ends at zero without falling. Outside it is `outside` (-inf, NaN).
struct HalfLines : KnownDensity {
  HalfLines(Eigen::Index dimension, double outside)
      : KnownDensity(dimension), log_density_outside(outside) {}
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    gradient.setConstant(-1);
    return (q.array() < 0).any() ? log_density_outside : -q.sum();
  }
  Eigen::VectorXd draw(Stream& stream) const override {
    return Eigen::VectorXd::NullaryExpr(n, [&] { return stream.exponential(); });
  }
  double log_density_outside;
};

// Neal's funnel: the first is normal(0, 3), the others normal(0, exp(first / 2)).
struct Funnel : KnownDensity {
  using KnownDensity::KnownDensity;
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    const double precision = std::exp(-q[0]), m = static_cast<double>(n - 1);
    const double squares = q.tail(n - 1).squaredNorm();
    gradient.tail(n - 1) = -precision * q.tail(n - 1);
    gradient[0] = -q[0] / 9 - 0.5 * m + 0.5 * precision * squares;
    return -q[0] * q[0] / 18 - 0.5 * m * q[0] - 0.5 * precision * squares;
  }
  Eigen::VectorXd draw(Stream& stream) const override {
    Eigen::VectorXd q = normals(stream);
    q[0] *= 3;
    q.tail(n - 1) *= std::exp(q[0] / 2);
    return q;
  }
};

}  // namespace chancel
