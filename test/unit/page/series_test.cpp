// SPDX-License-Identifier: Apache-2.0
#include "page/series.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace chancel::page {
namespace {

TEST(Trace, KeepsTheOutline) {
  std::vector<double> y(100'000, 0.0);
  y[777] = 5;
  y[99'998] = -3;
  const Curve c = thin_trace(y, 200);
  EXPECT_LE(c.x.size(), 200u);
  EXPECT_EQ(*std::max_element(c.y.begin(), c.y.end()), 5);
  EXPECT_EQ(*std::min_element(c.y.begin(), c.y.end()), -3);
  EXPECT_TRUE(std::is_sorted(c.x.begin(), c.x.end()));
  const std::vector<double> few = {3, 1, 2};
  EXPECT_EQ(thin_trace(few, 200).y, few);
}

TEST(Trace, PicksAtMostTheGivenNumber) {
  const std::vector<double> y(1001, 1.0);
  EXPECT_LE(pick_trace(y, 100).x.size(), 100u);
}

TEST(RunningMean, IsWeightedAndEndsAtTheMean) {
  const std::vector<double> y = {1, 4, 10}, w = {1, 2, 1};
  const Curve c = running_mean(y, w, 10);
  EXPECT_EQ(c.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(c.y, (std::vector<double>{1, 3, 19.0 / 4}));
  EXPECT_EQ(running_mean(std::vector<double>(12'345, 2.0), {}, 200).x.back(), 12'345);
}

TEST(Ranks, OfPartsThatAgreeAreFlat) {
  report::Chains chains(2);
  for (int i = 0; i < 1000; ++i) chains[static_cast<std::size_t>(i % 2)].push_back(i);
  for (const auto& part : rank_shares(parts_of(chains, {}), 10))
    for (const double share : part) EXPECT_NEAR(share, 1, 0.03);
}

TEST(Ranks, OfPartsThatDifferAreNot) {
  const auto shares = rank_shares(parts_of({{1, 2, 3, 4}, {5, 6, 7, 8}}, {}), 4);
  EXPECT_EQ(shares[0], (std::vector<double>{2, 2, 0, 0}));
  EXPECT_EQ(shares[1], (std::vector<double>{0, 0, 2, 2}));
}

TEST(Ranks, TiesShareTheRanksTheyCover) {
  const auto shares = rank_shares(parts_of({{1, 1, 1}, {1, 1, 1}}, {}), 5);
  for (const auto& part : shares)
    for (const double share : part) EXPECT_NEAR(share, 1, 1e-12);
}

TEST(Ranks, WeightsCountLikeRepeatedDraws) {
  const auto a = rank_shares(parts_of({{1, 3}, {2, 4}}, {{1, 3}, {2, 2}}), 4);
  const auto b = rank_shares(parts_of({{1, 3, 3, 3}, {2, 2, 4, 4}}, {}), 4);
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(a[p][k], b[p][k], 1e-12);
}

TEST(Parts, OfOneChainAreItsQuarters) {
  const Parts parts = parts_of({{1, 2, 3, 4, 5, 6, 7, 8}}, {});
  EXPECT_EQ(parts.values, (report::Chains{{1, 2}, {3, 4}, {5, 6}, {7, 8}}));
}

}  // namespace
}  // namespace chancel::page
