// SPDX-License-Identifier: Apache-2.0
// (factor x) as a density: its logarithm is x, whatever is observed, and so is its slope.
#include <gtest/gtest.h>

#include <string_view>

#include "library/record_natives.hpp"
#include "value/dist_object.hpp"

namespace chancel {
namespace {

TEST(Factor, IsADensityOfItsParameter) {
  const NativeDef* native = nullptr;
  for (const NativeDef& def : record_natives()) {
    if (def.name == std::string_view("%factor")) native = &def;
  }
  ASSERT_NE(native, nullptr);
  ASSERT_NE(native->dist, nullptr);
  const Density* density = native->dist->density;
  ASSERT_NE(density, nullptr);
  double x;
  EXPECT_TRUE(density->read(Value::nil(), &x));
  const double weights[] = {-1.5, 2};
  const Lane by_row{weights, 1};
  double out[2];
  density->log_prob(&by_row, {&x, 0}, 2, out);
  EXPECT_EQ(out[0], -1.5);
  EXPECT_EQ(out[1], 2);
  const double pull[] = {3, 4};
  double sum = 1;
  const AdjointLane shared{&sum, 0};
  density->gradient(&by_row, {&x, 0}, pull, 2, &shared, {nullptr, 0});
  EXPECT_EQ(sum, 8);
}

}  // namespace
}  // namespace chancel
