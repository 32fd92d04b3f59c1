// SPDX-License-Identifier: Apache-2.0
// Weighted moments and quantiles against sums done by hand.
#include "report/weighted.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel {
namespace {

using namespace report;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Weights, AreRelativeToTheLargest) {
  const std::vector<double> w =
      relative_weights(std::vector<double>{-1000, -1000 + std::log(0.5), -kInfinity});
  EXPECT_DOUBLE_EQ(w[0], 1);
  EXPECT_NEAR(w[1], 0.5, 1e-12);
  EXPECT_EQ(w[2], 0);
  EXPECT_EQ(relative_weights(std::vector<double>{-kInfinity}), std::vector<double>{0});
}

TEST(Weights, EqualMeansEqualAndNotZero) {
  EXPECT_TRUE(are_equal(std::vector<double>{-3, -3, -3}));
  EXPECT_FALSE(are_equal(std::vector<double>{-3, -3.1}));
  EXPECT_FALSE(are_equal(std::vector<double>{-kInfinity, -kInfinity}));
  EXPECT_TRUE(are_equal({}));
}

TEST(Moments, OfEqualWeightsAreTheUsualOnes) {
  const Moments m = moments(std::vector<double>{1, 2, 3, 4}, {});
  EXPECT_DOUBLE_EQ(m.mean, 2.5);
  EXPECT_DOUBLE_EQ(m.variance, 5.0 / 3);
}

TEST(Moments, OfWeightsByHand) {
  // w = 1 1 2: mean (0 + 1 + 4) / 4; sum w (x - m)^2 = 1.5625 + 0.0625 + 1.125; divisor 4 - 6/4.
  const Moments m = moments(std::vector<double>{0, 1, 2}, std::vector<double>{1, 1, 2});
  EXPECT_DOUBLE_EQ(m.mean, 1.25);
  EXPECT_DOUBLE_EQ(m.variance, 2.75 / 2.5);
}

TEST(Moments, PassOverWeightZero) {
  const Moments m = moments(std::vector<double>{kInfinity, 1, 3}, std::vector<double>{0, 1, 1});
  EXPECT_DOUBLE_EQ(m.mean, 2);
  EXPECT_DOUBLE_EQ(m.variance, 2);
}

TEST(QuantilesTest, OfEqualWeightsInterpolate) {
  const Quantiles q(std::vector<double>{4, 1, 3, 2}, {});
  EXPECT_DOUBLE_EQ(q.at(0.5), 2.5);
  EXPECT_DOUBLE_EQ(q.at(0.05), 1.15);
  EXPECT_DOUBLE_EQ(q.at(1), 4);
  EXPECT_DOUBLE_EQ(q.mad(), 1.4826);
}

TEST(QuantilesTest, OfWeightsInvertTheDistributionFunction) {
  const Quantiles q(std::vector<double>{10, 30, 20, 99}, std::vector<double>{1, 2, 1, 0});
  EXPECT_EQ(q.at(0.25), 10);
  EXPECT_EQ(q.at(0.26), 20);
  EXPECT_EQ(q.at(0.5), 20);
  EXPECT_EQ(q.at(0.51), 30);
  EXPECT_EQ(q.at(1), 30);
  EXPECT_DOUBLE_EQ(q.mad(), 1.4826 * 10);
}

TEST(Kish, CountsUnevenWeights) {
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{1, 1, 1, 1}), 4);
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{1, 0, 0, 0}), 1);
  EXPECT_DOUBLE_EQ(kish_ess(std::vector<double>{3, 1}), 1.6);
  EXPECT_EQ(kish_ess(std::vector<double>{0, 0}), 0);
}

}  // namespace
}  // namespace chancel
