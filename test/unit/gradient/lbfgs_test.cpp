// SPDX-License-Identifier: Apache-2.0
// L-BFGS finds known modes, stays inside supports, and says why when it finds none.
#include "gradient/lbfgs.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "known_densities.hpp"

namespace chancel {
namespace {

struct Given : LogDensity {
  using Function = std::function<double(const Eigen::VectorXd&, Eigen::VectorXd&)>;
  Given(Eigen::Index dimension, Function function) : n(dimension), f(std::move(function)) {}
  Eigen::Index dimension() const override { return n; }
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override { return f(q, gradient); }
  Eigen::Index n;
  Function f;
};

TEST(FindMode, OfNormals) {
  for (const double condition : {1.0, 1e3, 1e6}) {
    CorrelatedNormal density(10, condition);
    const Mode mode = find_mode(density, Eigen::VectorXd::Constant(10, 100));
    EXPECT_EQ(mode.end, ModeEnd::Converged);
    EXPECT_LT((mode.q - density.mean).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT(mode.evaluations, 150u);
  }
}

TEST(FindMode, AlongAValley) {
  Given rosenbrock(2, [](const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
    const double off = q[1] - q[0] * q[0];
    gradient[0] = 2 * (1 - q[0]) + 400 * q[0] * off;
    gradient[1] = -200 * off;
    return -(1 - q[0]) * (1 - q[0]) - 100 * off * off;
  });
  const Mode mode = find_mode(rosenbrock, Eigen::Vector2d(-1.2, 1));
  EXPECT_EQ(mode.end, ModeEnd::Converged);
  EXPECT_NEAR(mode.q[0], 1, 1e-5);
  EXPECT_NEAR(mode.q[1], 1, 1e-5);
  EXPECT_LT(mode.evaluations, 100u);
}

TEST(FindMode, BesideALargeConstant) {  // whose rounding hides the last rises
  Given density(2, [](const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
    gradient = -q;
    return 1e9 - 0.5 * q.squaredNorm();
  });
  const Mode mode = find_mode(density, Eigen::Vector2d(3, 4));
  EXPECT_EQ(mode.end, ModeEnd::Converged);
  EXPECT_LT(mode.q.norm(), 1e-5);
}

TEST(FindMode, InsideTheSupport) {  // a gamma density, -inf below zero, from far away
  Given gamma(1, [](const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
    if (q[0] <= 0) return -std::numeric_limits<double>::infinity();
    gradient[0] = 0.5 / q[0] - 1;
    return 0.5 * std::log(q[0]) - q[0];
  });
  for (const double start : {1e-6, 1.0, 1e4}) {
    const Mode mode = find_mode(gamma, Eigen::VectorXd::Constant(1, start));
    EXPECT_EQ(mode.end, ModeEnd::Converged);
    EXPECT_NEAR(mode.q[0], 0.5, 1e-5);
  }
}

TEST(FindMode, StartsAtTheMode) {
  StandardNormal density(3);
  const Mode mode = find_mode(density, Eigen::VectorXd::Zero(3));
  EXPECT_EQ(mode.end, ModeEnd::Converged);
  EXPECT_EQ(mode.steps, 0u);
}

TEST(FindMode, SaysWhyNot) {
  HalfLines edge(2, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(find_mode(edge, Eigen::Vector2d(-1, 1)).end, ModeEnd::BadStart);
  const Mode at_edge = find_mode(edge, Eigen::Vector2d(3, 2));
  EXPECT_EQ(at_edge.end, ModeEnd::Stuck);
  EXPECT_LT(at_edge.q.minCoeff(), 1e-9);
  Given rising(1, [](const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
    gradient[0] = 1;
    return q[0];
  });
  EXPECT_EQ(find_mode(rising, Eigen::VectorXd::Zero(1)).end, ModeEnd::Rising);
  Given wrong_gradient(1, [](const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
    gradient[0] = q[0];
    return -0.5 * q[0] * q[0];
  });
  EXPECT_EQ(find_mode(wrong_gradient, Eigen::VectorXd::Ones(1)).end, ModeEnd::Stuck);
}

}  // namespace
}  // namespace chancel
