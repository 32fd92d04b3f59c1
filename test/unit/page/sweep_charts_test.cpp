// SPDX-License-Identifier: Apache-2.0
#include "page/sweep_charts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace chancel::page {
namespace {

TEST(EssChart, HasASeriesForEachLine) {
  Barriers barriers;
  barriers.by_place[{4, 0}].add(10, true);
  barriers.by_place[{4, 0}].add(30, true);
  barriers.by_place[{7, 1}].add(50, false);
  const Json chart = ess_chart(barriers, 100);
  ASSERT_EQ(chart["series"].size(), 2u);
  EXPECT_EQ(chart["series"][0].dump(),
            R"({"line":4,"x":[1],"mean":[20],"least":[10],"most":[30]})");
  EXPECT_TRUE(ess_chart({}, 0).is_null());
}

TEST(EssChart, TakesManyObservesTogether) {
  Barriers barriers;
  for (std::uint64_t b = 0; b < 5000; ++b)
    barriers.by_place[{3, b}].add(static_cast<double>(b % 2), true);
  const Json series = ess_chart(barriers, 10)["series"][0];
  EXPECT_LE(series["x"].size(), 600u);
  EXPECT_EQ(series["least"][1], 0);
  EXPECT_EQ(series["most"][1], 1);
}

// Three particles, two observes: 0 and 2 descend from 0, then all from what was 2.
TEST(AncestryChart, SeparatesTheLivingFromTheDead) {
  const auto link = [](std::uint32_t barrier, std::uint32_t particle, std::uint32_t ancestor) {
    return Descent{0, 0, barrier, 5, particle, ancestor};
  };
  const Json tree = ancestry_chart(
      0, 0,
      {link(0, 0, 0), link(0, 1, 1), link(0, 2, 0), link(1, 0, 2), link(1, 1, 2), link(1, 2, 2)});
  EXPECT_EQ(tree["generations"], 2);
  EXPECT_EQ(tree["roots"], 1);
  EXPECT_EQ(tree["alive"]["x"].size() / 3, 4u);  // three at the end, one before
  EXPECT_EQ(tree["dead"]["y"].dump(), "[0,0,null,1,1,null]");
  EXPECT_TRUE(ancestry_chart(0, 0, {}).is_null());
}

TEST(AncestryChart, DrawsManyGenerationsInFewerSteps) {
  std::vector<Descent> descents;
  for (std::uint32_t b = 0; b < 1000; ++b)
    for (std::uint32_t p = 0; p < 3; ++p) descents.push_back({0, 0, b, 1, p, b == 500 ? 1 : p});
  const Json tree = ancestry_chart(0, 0, descents);
  EXPECT_LE((tree["alive"]["x"].size() + tree["dead"]["x"].size()) / 3, 300u);
  EXPECT_EQ(tree["roots"], 1);
}

}  // namespace
}  // namespace chancel::page
