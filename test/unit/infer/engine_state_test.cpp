// SPDX-License-Identifier: Apache-2.0
// Statistics as bytes: every field comes back, and every number cut short is refused.
#include "infer/engine_state.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

EngineStatistics all_set() {
  EngineStatistics s;
  int next = 1;
#define CHANCEL_STATISTIC(type, name, initial, total) s.name = static_cast<type>(next++);
#include "infer/statistics.def"
  s.evidence_parts.add(-1.5);
  s.moves = {{3, 1}, {0, 0}, {7, 2}};
  s.places.enter({{5, CoordinateSense::Rising}, {6, CoordinateSense::Mixed}});
  s.places.draw(Eigen::Vector2d(0.5, 2));
  s.places.divergence(Eigen::Vector2d(1.5, 3));
  return s;
}

TEST(EngineState, StatisticsComeBack) {
  const EngineStatistics before = all_set();
  ByteWriter to;
  save_statistics(to, before);
  ByteReader from(to.bytes());
  EngineStatistics after;
  restore_statistics(from, after);
  EXPECT_TRUE(from.done()) << from.problem();
#define CHANCEL_STATISTIC(type, name, initial, total) EXPECT_EQ(after.name, before.name) << #name;
#include "infer/statistics.def"
  EXPECT_EQ(after.evidence_parts.log_mean(), -1.5);
  ASSERT_EQ(after.moves.size(), 3u);
  EXPECT_EQ(after.moves[2].proposals, 7u);
  EXPECT_EQ(after.moves[2].accepted, 2u);
  ASSERT_EQ(after.places.all().size(), 2u);
  EXPECT_EQ(after.places.all()[1].sense, CoordinateSense::Mixed);
  EXPECT_EQ(after.places.all()[1].draws.mean, 2);
  EXPECT_EQ(after.places.all()[1].divergences, std::vector<double>{3});
}

TEST(EngineState, StatisticsCutShortAreRefused) {
  ByteWriter to;
  save_statistics(to, all_set());
  const std::string bytes(to.bytes());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    ByteReader from(std::string_view(bytes).substr(0, length));
    EngineStatistics s;
    restore_statistics(from, s);
    EXPECT_FALSE(from.ok()) << length;
  }
}

}  // namespace
}  // namespace chancel
