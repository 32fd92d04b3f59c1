// SPDX-License-Identifier: Apache-2.0
#include "page/label_charts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace chancel::page {
namespace {

Estimate integers(const std::string& path, int from, int to) {
  Estimate row;
  row.predict = ":v";
  row.path = path;
  row.kind = Estimate::Kind::Discrete;
  row.numeric = true;
  for (int i = from; i <= to; ++i) {
    Support s;
    s.value = std::to_string(i);
    s.probability = 1.0 / (to - from + 1);
    row.support.push_back(s);
  }
  row.mean = (from + to) / 2.0;
  row.q5 = from;
  row.q95 = to;
  return row;
}

TEST(GroupChart, IntegersOfManyValuesAreNumbers) {
  const Json chart = group_chart(std::vector{integers("[0]", 0, 9), integers("[1]", 5, 20)});
  EXPECT_EQ(chart["mean"].dump(), "[4.5,12.5]");
  EXPECT_EQ(chart["q95"].dump(), "[9,20]");
  EXPECT_FALSE(chart.contains("values"));
}

TEST(GroupChart, IntegersOfFewValuesAreAStack) {
  const Json chart = group_chart(std::vector{integers("[0]", 0, 1), integers("[1]", 0, 2)});
  EXPECT_EQ(chart["values"].size(), 3u);
  EXPECT_FALSE(chart.contains("mean"));
}

TEST(GroupChart, IntegersBesideRealsAreNumbers) {
  Estimate real = integers("[0]", 0, 1);
  real.kind = Estimate::Kind::Real;
  real.support.clear();
  const Json chart = group_chart(std::vector{real, integers("[1]", 0, 1)});
  EXPECT_EQ(chart["mean"].size(), 2u);
}

TEST(LabelCharts, IntegersThatDidNotComeUpHaveAPlaceBetweenOthers) {
  Series series;
  series.values.emplace_back(std::vector<double>{2, 5, 5, 2});
  Estimate row = integers("", 2, 2);
  row.support.push_back(row.support.front());
  row.support[0].probability = row.support[1].probability = 0.5;
  row.support[1].value = "5";
  const auto values = [&] { return label_charts(row, series, {})["bars"]; };
  EXPECT_EQ(values()["values"].dump(), R"(["2","3","4","5"])");
  EXPECT_EQ(values()["p"].dump(), "[0.5,0,0,0.5]");
  row.support[1].value = "5000";
  EXPECT_EQ(values()["values"].dump(), R"(["2","5000"])");
  row.support[1].value = "-9223372036854775808";
  row.support[0].value = "9223372036854775807";
  EXPECT_EQ(values()["values"].size(), 2u);
}

TEST(LabelCharts, AutocorrelationOfEachChain) {
  Series series;
  for (int c = 0; c < 2; ++c) {
    auto& chain = series.values.emplace_back();
    for (int i = 0; i < 400; ++i) chain.push_back(i % 2 == c ? 1.5 : -1.5);
  }
  Estimate row;
  row.kind = Estimate::Kind::Real;
  row.numeric = true;
  row.sd = 1.5;
  const Json a = label_charts(row, series, {})["autocorrelation"];
  ASSERT_EQ(a["curves"].size(), 2u);
  EXPECT_EQ(a["curves"][0]["y"].size(), 51u);
  EXPECT_EQ(a["curves"][0]["y"][0], 1);
  EXPECT_NEAR(a["curves"][0]["y"][1].get<double>(), -1, 0.01);
  EXPECT_NEAR(a["curves"][0]["y"][2].get<double>(), 1, 0.01);
}

TEST(LabelCharts, ALabelThatNeverMovesHasNoAutocorrelation) {
  Series series;
  series.integers = false;
  series.values.emplace_back(100, 2.0);
  Estimate row;
  row.kind = Estimate::Kind::Real;
  row.numeric = true;
  row.mean = 2;
  const Json charts = label_charts(row, series, {});
  EXPECT_FALSE(charts.contains("autocorrelation"));
  EXPECT_EQ(charts["histogram"]["mass"].size(), 41u);
}

}  // namespace
}  // namespace chancel::page
