// SPDX-License-Identifier: Apache-2.0
#include "particles/sweep_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chancel {
namespace {

// Every uniform is `at`.
struct Fixed final : Stream::Source {
  explicit Fixed(double at) : number(static_cast<std::uint64_t>(at * 0x1.0p64)) {}
  std::uint64_t number;
  std::uint64_t next() override { return number; }
};

EngineDraw make(std::int64_t result, double weight, std::uint64_t sweep) {
  EngineDraw d;
  d.result = Value::integer(result);
  d.log_weight = std::log(weight);
  d.sweep = sweep;
  return d;
}

std::int64_t last(double uniform, const std::vector<EngineDraw>& draws) {
  Fixed source(uniform);
  Stream stream;
  stream.set_source(&source);
  SweepChain chain(stream, [](const Value& v) { return v; });
  for (const EngineDraw& d : draws) chain.draw(d);
  EXPECT_TRUE(chain.finish());
  return chain.value().i;
}

TEST(SweepChain, NothingCame) {
  Stream stream;
  SweepChain chain(stream, [](const Value& v) { return v; });
  EXPECT_FALSE(chain.finish());
}

TEST(SweepChain, HeavierSweepsStand) { EXPECT_EQ(last(0.99, {make(1, 1, 0), make(2, 3, 1)}), 2); }

TEST(SweepChain, LighterSweepsStandByTheRatioOfTotals) {
  // Three quarters: two draws of weight 3 against one of 8.
  const std::vector<EngineDraw> draws = {make(1, 8, 0), make(2, 3, 1), make(2, 3, 1)};
  EXPECT_EQ(last(0.74, draws), 2);
  EXPECT_EQ(last(0.76, draws), 1);
}

TEST(SweepChain, PicksWithinASweepByWeight) {
  // The second of two stands when u * 4 < 3.
  EXPECT_EQ(last(0.74, {make(1, 1, 0), make(2, 3, 0)}), 2);
  EXPECT_EQ(last(0.76, {make(1, 1, 0), make(2, 3, 0)}), 1);
}

TEST(SweepChain, ImpossibleDrawsAreNone) {
  EXPECT_EQ(last(0.01, {make(1, 1, 0), make(2, 0, 1)}), 1);
}

TEST(SweepChain, ProbabilityOverTheLaterHalf) {
  Fixed source(0.9);
  Stream stream;
  stream.set_source(&source);
  const Value sought = Value::integer(2);
  SweepChain chain(stream, {}, &sought);
  // Shares 0, 1/4, then a light sweep that does not stand, then 1: the later half is 1/4 and 1.
  for (const EngineDraw& d :
       {make(1, 1, 0), make(1, 3, 1), make(2, 1, 1), make(2, 1, 2), make(2, 9, 3)})
    chain.draw(d);
  EXPECT_EQ(chain.draws(), 5u);
  EXPECT_EQ(chain.sweeps(), 4u);
  ASSERT_TRUE(chain.finish());
  EXPECT_TRUE(chain.met());
  EXPECT_DOUBLE_EQ(chain.probability(), (0.25 + 1) / 2);
}

}  // namespace
}  // namespace chancel
