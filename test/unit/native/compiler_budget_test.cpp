// SPDX-License-Identifier: Apache-2.0
// How many functions and loops compilers may be given.
#include "native/compiler_budget.hpp"

#include <gtest/gtest.h>

namespace chancel::native {
namespace {

TEST(CompilerBudget, TwoUnitsAtOnceThenATenthOfTheTime) {
  EXPECT_EQ(units_allowed(0), 2u);
  EXPECT_EQ(units_allowed(1), 2u);
  EXPECT_EQ(units_allowed(3.1), 4u);
  EXPECT_EQ(units_allowed(30.1), 22u);
}

TEST(CompilerBudget, FiveSecondsAtMost) {
  EXPECT_EQ(units_allowed(50), 33u);
  EXPECT_EQ(units_allowed(1e6), 33u);
  EXPECT_EQ(units_allowed(-1), 2u);
}

}  // namespace
}  // namespace chancel::native
