// SPDX-License-Identifier: Apache-2.0
#include "page/energy_chart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/energy.hpp"

namespace chancel::page {
namespace {

TEST(Energy, FractionIsThatOfBetancourt) {
  EXPECT_DOUBLE_EQ(report::energy_fraction({1, 2, 4}), 5 / (14.0 / 3));
  EXPECT_TRUE(std::isnan(report::energy_fraction({1, 2})));
  EXPECT_TRUE(std::isnan(report::energy_fraction({2, 2, 2})));
}

TEST(Energy, TheLeastOfTheChainsCounts) {
  EXPECT_DOUBLE_EQ(report::least_energy_fraction({{1, 2, 1, 2}, {1, 2, 4}}), 5 / (14.0 / 3));
  EXPECT_TRUE(std::isnan(report::least_energy_fraction({})));
}

TEST(Energy, ChartOfEnergiesLessTheirMeanAndOfChanges) {
  std::vector<double> walk;  // goes far in small steps
  for (int i = 0; i < 400; ++i) walk.push_back(1000 + 50 * std::sin(i / 20.0));
  const Json chart = energy_chart({walk});
  ASSERT_FALSE(chart.is_null());
  const auto extent = [](const Json& curve) {
    return curve["x"].back().get<double>() - curve["x"].front().get<double>();
  };
  EXPECT_NEAR(extent(chart["marginal"]), 100, 5);
  EXPECT_NEAR(extent(chart["transition"]), 5, 0.5);
  EXPECT_LT(chart["fractions"][0].get<double>(), 0.01);
}

TEST(Energy, NoChartWithoutEnergies) {
  EXPECT_TRUE(energy_chart({}).is_null());
  EXPECT_TRUE(energy_chart({{1, 2}}).is_null());
}

}  // namespace
}  // namespace chancel::page
