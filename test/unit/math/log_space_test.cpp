// SPDX-License-Identifier: Apache-2.0
#include "math/log_space.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace chancel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(LogSpace, Add) {
  EXPECT_NEAR(log_add(std::log(2.0), std::log(3.0)), std::log(5.0), 1e-15);
  EXPECT_EQ(log_add(-kInf, -kInf), -kInf);
  EXPECT_EQ(log_add(-kInf, 1.5), 1.5);
  EXPECT_EQ(log_add(1.5, -kInf), 1.5);
  EXPECT_EQ(log_add(kInf, 1.5), kInf);
  EXPECT_TRUE(std::isnan(log_add(std::nan(""), 1)));
  EXPECT_NEAR(log_add(1000, 1000), 1000 + std::log(2.0), 1e-12);
  EXPECT_NEAR(log_add(-2000, -2000), -2000 + std::log(2.0), 1e-12);
}

TEST(LogSpace, Subtract) {
  EXPECT_NEAR(log_subtract(std::log(5.0), std::log(3.0)), std::log(2.0), 1e-15);
  EXPECT_EQ(log_subtract(1.0, 1.0), -kInf);
  EXPECT_EQ(log_subtract(1.0, -kInf), 1.0);
  EXPECT_TRUE(std::isnan(log_subtract(0.0, 1.0)));
}

TEST(LogSpace, SumExp) {
  EXPECT_EQ(log_sum_exp({}), -kInf);
  EXPECT_EQ(log_sum_exp(std::vector<double>{-kInf, -kInf}), -kInf);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{0, 0, -kInf, 0}), std::log(3.0), 1e-15);
  EXPECT_NEAR(log_sum_exp(std::vector<double>{-1e4, -1e4}), -1e4 + std::log(2.0), 1e-11);
  EXPECT_EQ(log_sum_exp(std::vector<double>{kInf, 0}), kInf);
  EXPECT_TRUE(std::isnan(log_sum_exp(std::vector<double>{0, std::nan("")})));
  EXPECT_NEAR(log_mean_exp(std::vector<double>{0, -kInf}), std::log(0.5), 1e-15);
}

TEST(LogSpace, Sigmoid) {
  for (double x = -800; x <= 800; x += 0.37) {
    const double expected = std::fmin(x, 0) - std::log1p(std::exp(-std::fabs(x)));
    EXPECT_NEAR(log_sigmoid(x), expected, 4e-16 * std::fabs(expected)) << x;
    if (x > -700) {
      EXPECT_NEAR(sigmoid(x), std::exp(expected), 1e-12 * std::exp(expected)) << x;
    }
  }
  EXPECT_EQ(sigmoid(0), 0.5);
}

}  // namespace
}  // namespace chancel
