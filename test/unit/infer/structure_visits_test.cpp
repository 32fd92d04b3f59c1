// SPDX-License-Identifier: Apache-2.0
// Which structures a chain left for good, and what counts as one structure.
#include "infer/structure_visits.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace chancel {
namespace {

constexpr StructureKeys kOne{1, 1}, kTwo{2, 2};

void stay(StructureVisits& visits, const StructureKeys& keys, int steps, double log_density) {
  for (int i = 0; i < steps; ++i) visits.step(keys, log_density);
}

TEST(StructureVisits, WhatWasLeftAndNeverSeenAgain) {
  StructureVisits visits;
  stay(visits, kOne, 100, -20);
  stay(visits, kTwo, 900, -15);
  const auto found = visits.seldom();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->stay, 100u);
  EXPECT_EQ(found->visits, 0u);
  EXPECT_EQ(found->steps, 1000u);
  // 3 * 100 of 150 000 steps are 0.002.
  stay(visits, kTwo, 148999, -15);
  EXPECT_TRUE(visits.seldom());
  stay(visits, kTwo, 2, -15);
  EXPECT_FALSE(visits.seldom());
}

TEST(StructureVisits, WhatIsFarLessProbable) {
  StructureVisits visits;
  stay(visits, kOne, 100, -30);
  stay(visits, kTwo, 900, -15);
  EXPECT_FALSE(visits.seldom());
}

TEST(StructureVisits, VisitsThatSuffice) {
  StructureVisits visits;
  stay(visits, kOne, 100, -20);
  for (int i = 0; i < 9; ++i) {
    stay(visits, kTwo, 90, -15);
    stay(visits, kOne, 1, -20);
  }
  ASSERT_TRUE(visits.seldom());
  EXPECT_EQ(visits.seldom()->visits, 9u);
  stay(visits, kTwo, 90, -15);
  stay(visits, kOne, 1, -20);
  stay(visits, kTwo, 90, -15);
  EXPECT_FALSE(visits.seldom());
}

TEST(StructureVisits, ShortStaysAreAChainAtWork) {
  StructureVisits visits;
  for (int i = 0; i < 50; ++i) stay(visits, {std::uint64_t(i), 0}, 20, -15);
  EXPECT_FALSE(visits.seldom());
}

TEST(StructureVisits, ChainsInDifferentStructures) {
  StructureVisits visits, other;
  stay(visits, kOne, 1000, -15);
  stay(other, kTwo, 1001, -15);
  visits.add(other);
  ASSERT_TRUE(visits.seldom());
  EXPECT_EQ(visits.seldom()->stay, 1000u);
  EXPECT_EQ(visits.seldom()->steps, 2001u);
}

TEST(StructureVisits, StatesContinueFromTheirBytes) {
  StructureVisits visits, again;
  stay(visits, kOne, 100, -20);
  stay(visits, kTwo, 10, -15);
  ByteWriter to;
  visits.save(to);
  ByteReader from(to.bytes());
  again.restore(from);
  ASSERT_TRUE(from.done());
  for (StructureVisits* v : {&visits, &again}) stay(*v, kTwo, 890, -15);
  ByteWriter one, two;
  visits.save(one);
  again.save(two);
  EXPECT_EQ(one.bytes(), two.bytes());
  EXPECT_TRUE(again.seldom());
}

StructureKeys keys_of(std::initializer_list<std::pair<std::uint32_t, Value>> draws) {
  StructureReader reader;
  reader.begin();
  for (const auto& [site, value] : draws) reader.draw(site, Value::nil(), value);
  return reader.end();
}
Value integer(int i) { return Value::integer(i); }

TEST(StructureKeys, NumbersOfClustersDoNotCount) {
  const StructureKeys keys = keys_of({{1, integer(0)}, {1, integer(0)}, {1, integer(1)}});
  EXPECT_EQ(keys.fine, keys_of({{1, integer(5)}, {1, integer(5)}, {1, integer(3)}}).fine);
  EXPECT_NE(keys.fine, keys_of({{1, integer(0)}, {1, integer(1)}, {1, integer(1)}}).fine);
  EXPECT_EQ(keys.coarse, keys_of({{1, integer(0)}, {1, integer(1)}, {1, integer(1)}}).coarse);
  EXPECT_NE(keys.coarse, keys_of({{1, integer(0)}, {1, integer(0)}, {1, integer(0)}}).coarse);
}

TEST(StructureKeys, ADrawThatIsAloneCountsByItsValue) {
  EXPECT_NE(keys_of({{1, integer(0)}}).fine, keys_of({{1, integer(1)}}).fine);
  EXPECT_NE(keys_of({{1, integer(0)}}).coarse, keys_of({{1, integer(1)}}).coarse);
}

TEST(StructureKeys, ContinuousValuesDoNotCountButTheirNumberDoes) {
  const Value x = Value::real(0.5), y = Value::real(-3);
  EXPECT_EQ(keys_of({{1, x}, {2, y}}).fine, keys_of({{1, y}, {2, x}}).fine);
  EXPECT_NE(keys_of({{1, x}, {2, y}}).fine, keys_of({{1, x}, {2, y}, {2, y}}).fine);
  EXPECT_NE(keys_of({{1, x}, {2, y}}).coarse, keys_of({{1, x}, {2, y}, {2, y}}).coarse);
}

}  // namespace
}  // namespace chancel
