// SPDX-License-Identifier: Apache-2.0
#include "math/normal.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chancel {
namespace {

TEST(NormalQuantile, HasTheKnownValues) {
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-14);
  EXPECT_NEAR(normal_quantile(0.025), -1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.3), -0.5244005127080407, 1e-15);
  EXPECT_EQ(normal_quantile(0.5), 0);
  EXPECT_NEAR(normal_quantile(0.999999), 4.753424308822899, 1e-10);
  EXPECT_TRUE(std::isinf(normal_quantile(1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.5)));
}

// Where the plain formulas lose all digits. RunStatistics worked out with 40 digits.
TEST(NormalTails, HaveTheKnownValues) {
  EXPECT_NEAR(log_normal_cdf(-40), -804.60844201375379, 1e-10);
  EXPECT_NEAR(log_normal_cdf(-8), -35.013437159914550, 1e-10);
  EXPECT_NEAR(log_normal_interval(20, 21), -203.91715537228816, 1e-9);
  EXPECT_NEAR(log_normal_interval(-21, -20), log_normal_interval(20, 21), 1e-12);
}

}  // namespace
}  // namespace chancel
