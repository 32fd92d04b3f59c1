// SPDX-License-Identifier: Apache-2.0
// The normal approximation: exact for normals, Stirling's formula for gammas, importance ratios whose
// mean is the evidence (z-tests with a rate of false alarms of 7e-6), and clear failures.
#include "gradient/normal_approximation.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "known_densities.hpp"
#include "math/log_space.hpp"
#include "math/pareto_smoothing.hpp"
#include "math/special.hpp"

namespace chancel {
namespace {

// log of a gamma(shape, 1) variable: its integral is gamma(shape).
struct LogGamma : LogDensity {
  explicit LogGamma(double a) : shape(a) {}
  Eigen::Index dimension() const override { return 1; }
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
    gradient[0] = shape - std::exp(q[0]);
    return shape * q[0] - std::exp(q[0]);
  }
  double shape;
};

TEST(Laplace, OfANormalIsExact) {
  for (const double condition : {1.0, 1e3, 1e6}) {
    CorrelatedNormal density(6, condition);
    Laplace laplace(density);
    ASSERT_EQ(laplace.fit(Eigen::VectorXd::Constant(6, -30)), LaplaceEnd::Fitted);
    EXPECT_LT((laplace.mode().q - density.mean).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LT((laplace.covariance() - density.covariance).cwiseAbs().maxCoeff(), 1e-5);
    const double exact = 6 * kLogSqrtTwoPi + 0.5 * std::log(density.covariance.determinant());
    EXPECT_NEAR(laplace.log_evidence(), exact, 1e-5);
    Stream stream({1}, 0, 0);
    Eigen::VectorXd q;
    for (int i = 0; i < 10; ++i) EXPECT_NEAR(laplace.draw(stream, q), exact, 1e-4);
  }
}

TEST(Laplace, DrawsHaveItsMeanAndCovariance) {
  CorrelatedNormal density(3, 100);
  Laplace laplace(density);
  ASSERT_EQ(laplace.fit(Eigen::VectorXd::Zero(3)), LaplaceEnd::Fitted);
  constexpr int kDraws = 40000;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
  Eigen::VectorXd q;
  Stream stream({2}, 0, 0);
  for (int i = 0; i < kDraws; ++i) {
    laplace.draw(stream, q);
    const Eigen::Vector3d off = q - density.mean;
    mean += off / kDraws;
    products += off * off.transpose() / kDraws;
  }
  for (int i = 0; i < 3; ++i) {
    const double v = density.covariance(i, i);
    EXPECT_LT(std::fabs(mean[i]) / std::sqrt(v / kDraws), 4.5);
    for (int j = 0; j < 3; ++j) {
      const double c = density.covariance(i, j), w = density.covariance(j, j);
      EXPECT_LT(std::fabs(products(i, j) - c) / std::sqrt((v * w + c * c) / kDraws), 4.5);
    }
  }
}

TEST(Laplace, OfALogGammaIsStirlingsFormula) {
  for (const double a : {2.0, 5.0, 1e3, 1e8}) {
    LogGamma density(a);
    Laplace laplace(density);
    ASSERT_EQ(laplace.fit(Eigen::VectorXd::Zero(1)), LaplaceEnd::Fitted);
    EXPECT_NEAR(laplace.mode().q[0], std::log(a), 1e-5 / std::sqrt(a));
    EXPECT_NEAR(laplace.covariance()(0, 0) * a, 1, 1e-5);
    const double stirling = a * std::log(a) - a + kLogSqrtTwoPi - 0.5 * std::log(a);
    EXPECT_NEAR(laplace.log_evidence(), stirling, 1e-6 + 1e-14 * std::fabs(stirling));
  }
}

TEST(Laplace, RatiosGiveTheEvidence) {
  LogGamma density(5);
  Laplace laplace(density);
  ASSERT_EQ(laplace.fit(Eigen::VectorXd::Zero(1)), LaplaceEnd::Fitted);
  constexpr int kDraws = 20000;
  std::vector<double> logs;
  Eigen::VectorXd q;
  double sum = 0, squares = 0;
  Stream stream({3}, 0, 0);
  for (int i = 0; i < kDraws; ++i) {
    logs.push_back(laplace.draw(stream, q) - log_gamma(5));
    sum += std::exp(logs.back());
    squares += std::exp(2 * logs.back());
  }
  const double mean = sum / kDraws, variance = squares / kDraws - mean * mean;
  EXPECT_LT(std::fabs(mean - 1) / std::sqrt(variance / kDraws), 4.5);
  EXPECT_LT(std::fabs(std::exp(laplace.log_evidence() - log_gamma(5)) - 1), 0.03);
  EXPECT_LT(smooth_pareto_tail(logs), 0.7);
}

// A funnel is nothing like the normal distribution at its mode, and k-hat shows it.
TEST(Laplace, ShapeWarnsOfAFunnel) {
  Funnel density(4);
  Laplace laplace(density);
  ASSERT_EQ(laplace.fit(Eigen::VectorXd::Constant(4, 0.5)), LaplaceEnd::Fitted);
  std::vector<double> logs;
  Eigen::VectorXd q;
  Stream stream({4}, 0, 0);
  for (int i = 0; i < 4000; ++i) logs.push_back(laplace.draw(stream, q));
  EXPECT_GT(smooth_pareto_tail(logs), largest_usable_shape(4000));
}

TEST(Laplace, SaysWhyNot) {
  // Only the sum of the first two coordinates is known.
  struct Ridge : LogDensity {
    Eigen::Index dimension() const override { return 3; }
    double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override {
      const double sum = q[0] + q[1] - 1;
      gradient << -sum, -sum, -q[2];
      return -0.5 * (sum * sum + q[2] * q[2]);
    }
  } ridge;
  Laplace flat(ridge);
  EXPECT_EQ(flat.fit(Eigen::Vector3d(0.3, 2, 1)), LaplaceEnd::Flat);
  EXPECT_LT(flat.flat_coordinate(), 2);

  HalfLines edge(1, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(Laplace(edge).fit(Eigen::VectorXd::Ones(1)), LaplaceEnd::Edge);

  Laplace outside(edge);
  EXPECT_EQ(outside.fit(Eigen::VectorXd::Constant(1, -1)), LaplaceEnd::NoMode);
  EXPECT_EQ(outside.mode().end, ModeEnd::BadStart);
}

}  // namespace
}  // namespace chancel
