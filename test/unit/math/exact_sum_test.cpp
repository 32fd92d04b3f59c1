// SPDX-License-Identifier: Apache-2.0
// Exact sums: against integers, against sums in another order, and where the rounding is a close decision.
#include "math/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace chancel {
namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double x : terms) sum.add(x);
  return sum.value();
}

TEST(ExactSum, OfNothingAndOfOne) {
  EXPECT_EQ(sum_of({}), 0);
  for (const double x :
       {1.0, -1.0, 0.1, -3510.598090968983, 5e-324, -5e-324, 2.2250738585072014e-308,
        1.7976931348623157e308, -1.7976931348623157e308, 0.0})
    EXPECT_EQ(sum_of({x}), x);
}

TEST(ExactSum, KeepsWhatRoundingLoses) {
  EXPECT_EQ(sum_of({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum_of({1, 1e-300, -1}), 1e-300);
  EXPECT_EQ(sum_of({1.7976931348623157e308, 1.7976931348623157e308, -1.7976931348623157e308}),
            1.7976931348623157e308);
  EXPECT_EQ(sum_of({1.7976931348623157e308, 1.7976931348623157e308}), INFINITY);
  EXPECT_EQ(sum_of(std::vector<double>(10, 0.1)), 1.0);
  EXPECT_EQ(sum_of({5e-324, 5e-324, -1e-323, 5e-324}), 5e-324);
  EXPECT_EQ(sum_of({2.2250738585072014e-308, -5e-324}), 2.225073858507201e-308);
}

TEST(ExactSum, RoundsHalfToEven) {
  const double ulp = std::ldexp(1, -52);
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(sum_of({sign, sign * ulp / 2}), sign);
    EXPECT_EQ(sum_of({sign * (1 + ulp), sign * ulp / 2}), sign * (1 + 2 * ulp));
    EXPECT_EQ(sum_of({sign, sign * ulp / 2, sign * 1e-200}), sign * (1 + ulp));
    EXPECT_EQ(sum_of({sign * (1 + ulp), sign * ulp / 2, sign * -1e-200}), sign * (1 + ulp));
    EXPECT_EQ(sum_of({sign, sign * -ulp / 4}), sign);
    EXPECT_EQ(sum_of({sign, sign * -ulp / 4, sign * -1e-300}), sign * (1 - ulp / 2));
  }
}

TEST(ExactSum, OfNumbersThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(sum_of({1, -INFINITY, 2}), -INFINITY);
  EXPECT_EQ(sum_of({INFINITY, 2}), INFINITY);
  EXPECT_TRUE(std::isnan(sum_of({INFINITY, -INFINITY})));
  EXPECT_TRUE(std::isnan(sum_of({1, nan})));
  ExactSum sum;
  for (const double x : std::vector<double>{1, nan, -INFINITY, 0.5}) sum.add(x);
  sum.subtract(nan);
  EXPECT_EQ(sum.value(), -INFINITY);
  sum.subtract(-INFINITY);
  EXPECT_EQ(sum.value(), 1.5);
}

// In units of 2^-80, as integers of 128 bits.
TEST(ExactSum, OfManyIsThatOfIntegers) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 300; ++round) {
    __int128 exact = 0;
    ExactSum sum;
    std::vector<double> terms;
    for (int i = 0; i < 200; ++i) {
      const auto mantissa = static_cast<std::int64_t>(random() >> 11) - (std::int64_t{1} << 52);
      const int exponent = static_cast<int>(random() % 60);
      terms.push_back(std::ldexp(static_cast<double>(mantissa), exponent - 80));
      exact += static_cast<__int128>(mantissa) << exponent;
      sum.add(terms.back());
      // Conversions of integers round to nearest, ties to even.
      ASSERT_EQ(sum.value(), std::ldexp(static_cast<double>(exact), -80)) << round << ' ' << i;
    }
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sum_of(terms), sum.value());
    for (std::size_t i = 0; i + 1 < terms.size(); ++i) sum.subtract(terms[i]);
    EXPECT_EQ(sum.value(), terms.back());
    sum.subtract(terms.back());
    EXPECT_EQ(sum.value(), 0);
  }
}

}  // namespace
}  // namespace chancel
