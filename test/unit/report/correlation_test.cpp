// SPDX-License-Identifier: Apache-2.0
#include "report/correlation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chancel::report {
namespace {

TEST(Correlation, OfTwoColumns) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {2, 1, 4, 3}, same = {5, 5, 5, 5};
  EXPECT_DOUBLE_EQ(correlation(x, y), 0.6);
  EXPECT_DOUBLE_EQ(correlation(x, x), 1);
  EXPECT_EQ(correlation(x, same), 0);
}

}  // namespace
}  // namespace chancel::report
