// SPDX-License-Identifier: Apache-2.0
// Pareto smoothing against results of the R package loo 2.5.1 (psis, gpdfit) on the same ratios.
#include "math/pareto_smoothing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "math/normal.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The i-th of numbers that fill (0, 1) evenly, from one.
double even(int i) { return std::fmod(i * 0.6180339887498949, 1.0); }

struct Case {
  const char* name;
  std::function<double(double)> log_ratio;  // of an even number
  double relative_efficiency;
  double shape, first, largest, sum, sum_by_index;  // what loo gives
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class SmoothedTail : public ::testing::TestWithParam<Case> {};

TEST_P(SmoothedTail, IsThatOfLoo) {
  const Case& c = GetParam();
  std::vector<double> logs;
  for (int i = 1; i <= 1000; ++i) logs.push_back(c.log_ratio(even(i)));
  const auto at_largest = std::max_element(logs.begin(), logs.end()) - logs.begin();
  if (c.relative_efficiency == 1) {
    EXPECT_NEAR(pareto_shape(logs), c.shape, 1e-9);
  }
  EXPECT_NEAR(smooth_pareto_tail(logs, c.relative_efficiency), c.shape, 1e-9);
  EXPECT_NEAR(logs[0], c.first, 1e-12);
  EXPECT_NEAR(logs[static_cast<std::size_t>(at_largest)], c.largest, 1e-9);
  double sum = 0, sum_by_index = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    sum += std::exp(logs[i]);
    sum_by_index += std::exp(logs[i]) * static_cast<double>(i + 1);
  }
  EXPECT_NEAR(sum / c.sum, 1, 1e-9);
  EXPECT_NEAR(sum_by_index / c.sum_by_index, 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Loo, SmoothedTail,
    ::testing::Values(
        Case{"k03", [](double u) { return -0.3 * std::log(u); }, 1, 0.296726340632552,
             0.144363547517881, 2.16545321276192, 1425.30293920861, 713566.844102853},
        Case{"k09", [](double u) { return -0.9 * std::log(u); }, 1, 0.806752639692145,
             0.433090642553643, 6.47941912547981, 5352.9949565173, 2713301.06533374},
        Case{"k15", [](double u) { return -1.5 * std::log(u); }, 1, 1.31819078734063,
             0.721817737589404, 10.6182970258989, 83423.9380262123, 44708925.3260456},
        Case{"bounded", [](double u) { return std::log(u); }, 1, -0.82423327429269,
             -0.481211825059603, -0.000453206536284762, 500.199635272469, 250363.615645191},
        Case{"lognormal", [](double u) { return 3 - 2 * normal_quantile(u); }, 1, 0.635954313968759,
             2.39935722922, 9.36255349258801, 134665.082514153, 67754817.5955777},
        Case{"narrow", [](double u) { return 0.01 * normal_quantile(u); }, 1, -0.0598138871451757,
             0.00300321385389999, 0.033181347024906, 1000.07629305088, 500544.495898397},
        Case{"chain", [](double u) { return -0.5 * std::log(u); }, 0.3, 0.469433143091955,
             0.240605912529802, 3.60908868793654, 1963.82667332724, 984042.882773558}),
    [](const auto& info) { return info.param.name; });

TEST(FitPareto, IsThatOfLoo) {
  std::vector<double> x, y;
  for (int i = 1; i <= 50; ++i) x.push_back(std::pow(even(i), -0.4) - 1);
  for (int i = 1; i <= 200; ++i) y.push_back(even(i));
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  EXPECT_NEAR(fit_pareto(x).shape, 0.404413460088646, 1e-9);
  EXPECT_NEAR(fit_pareto(x).scale, 0.397817156867758, 1e-9);
  EXPECT_NEAR(fit_pareto(y).shape, -0.906334635915866, 1e-9);
  EXPECT_NEAR(fit_pareto(y).scale, 0.98238083622697, 1e-9);
}

TEST(SmoothedTail, HugeRatiosDoNotOverflow) {
  std::vector<double> logs;
  for (int i = 1; i <= 30; ++i) logs.push_back(800 - 0.5 * std::log(even(i)));
  EXPECT_NEAR(smooth_pareto_tail(logs), 0.385769494649762, 1e-9);
}

TEST(SmoothedTail, EdgesAreSaid) {
  std::vector<double> few(20, 0.0), same(1000, 5.0), none(1000, -kInfinity), lone(1000, -kInfinity);
  EXPECT_EQ(smooth_pareto_tail(few), kInfinity);
  EXPECT_EQ(smooth_pareto_tail(same), -kInfinity);
  EXPECT_EQ(same[7], 5);
  EXPECT_EQ(smooth_pareto_tail(none), kInfinity);
  lone[3] = 0;
  EXPECT_EQ(smooth_pareto_tail(lone), kInfinity);
}

// Weights that take few values have no tail, however they are split between values.
TEST(ParetoShape, TiesHaveNoTail) {
  std::vector<double> few(20, 0.0), same(1000, 5.0), none(1000, -kInfinity);
  for (const auto& logs : {few, same, none}) EXPECT_TRUE(std::isnan(pareto_shape(logs)));
  std::vector<double> two(1000, 0.0);
  for (std::size_t i = 0; i < 4; ++i)
    two[i * 7] = 1;  // few above the others, and they are not much
  EXPECT_TRUE(std::isnan(pareto_shape(two)));
  for (std::size_t i = 0; i < 40; ++i) two[i * 7] = 1;  // 40 of a tail of 95, all the same
  EXPECT_TRUE(std::isnan(pareto_shape(two)));
  for (std::size_t i = 0; i < 300; ++i) two[i * 3] = 1;  // all of it
  EXPECT_TRUE(std::isnan(pareto_shape(two)));
}

// The tail above the value that most ratios share is fitted by itself.
TEST(ParetoShape, OfATailAboveTies) {
  const auto shape_of = [](double shape) {
    std::vector<double> logs(1000, 0.0);
    for (int i = 1; i <= 60; ++i)
      logs[static_cast<std::size_t>(i) * 16] = -shape * std::log(even(i));
    return pareto_shape(logs);
  };
  EXPECT_NEAR(shape_of(1.2), 1.1, 0.15);
  EXPECT_NEAR(shape_of(0.3), 0.33, 0.15);
}

TEST(ParetoShape, AFewThatCarryAllAreInfinite) {
  std::vector<double> logs(1000, -900);
  logs[3] = logs[5] = 0;
  logs[7] = -1;
  EXPECT_EQ(pareto_shape(logs), kInfinity);
}

TEST(SmoothedTail, ThresholdGrowsWithTheDraws) {
  EXPECT_NEAR(largest_usable_shape(100), 0.5, 1e-12);
  EXPECT_NEAR(largest_usable_shape(1000), 2 / 3.0, 1e-12);
  EXPECT_EQ(largest_usable_shape(100000), 0.7);
}

}  // namespace
}  // namespace chancel
