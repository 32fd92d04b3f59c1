// SPDX-License-Identifier: Apache-2.0
// Charts of draws at the ends of the range of doubles hold only numbers that a browser can draw.
#include "report/unit.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "page/label_charts.hpp"

namespace chancel::page {
namespace {

using report::Unit;

TEST(Unit, BringsExtremeNumbersNearOne) {
  EXPECT_TRUE(Unit::of(3.5).is_one());
  EXPECT_TRUE(Unit::of(0).is_one());
  for (const double x : {1e-310, 3e-150, 2e150, std::numeric_limits<double>::max()}) {
    const Unit unit = Unit::of(x);
    EXPECT_FALSE(unit.is_one());
    EXPECT_GE(unit.scaled(x), 0.999);
    EXPECT_LE(unit.scaled(x), 10.001);
  }
}

TEST(Unit, IsUsedForAllChartsOfALabel) {
  constexpr double kMax = std::numeric_limits<double>::max();
  for (const double top : {kMax, 1e-310, 0.9e308}) {
    Series series;
    series.integers = false;
    auto& chain = series.values.emplace_back();
    for (int i = 0; i < 100; ++i) chain.push_back(i % 2 == 0 ? top : -top * ((i % 7) / 7.0));
    Estimate row;
    row.predict = ":x";
    row.numeric = true;
    row.mean = 0.1 * top;
    row.sd = 0.5 * top;
    row.q5 = -top;
    row.q95 = top;
    row.ess_bulk = 100;
    const Json charts = label_charts(row, series, ChartBudget());
    EXPECT_TRUE(charts.contains("unit"));
    const Json& h = charts.at("histogram");
    const double width = h.at("high").get<double>() - h.at("low").get<double>();
    EXPECT_GT(width, 1);
    EXPECT_LT(width, 100);
    EXPECT_LT(h.at("mass").size(), 200u);
    for (const Json& y : charts.at("trace").at("curves").at(0).at("y"))
      EXPECT_LE(std::abs(y.get<double>()), 10.001);
  }
}

}  // namespace
}  // namespace chancel::page
