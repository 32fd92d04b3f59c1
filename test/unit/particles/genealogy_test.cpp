// SPDX-License-Identifier: Apache-2.0
// Parents and root ancestors over a few barriers, without executions.
#include "particles/genealogy.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace chancel {
namespace {

Weights weights(std::vector<double> log_weights) {
  Weights w;
  w.resize(log_weights.size());
  w.set(log_weights);
  return w;
}

void advance(Genealogy& g, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) g.descend(i, g.parent(i));
  g.next_generation();
}

TEST(Genealogy, StartsWithEverybodyAsARoot) {
  Genealogy g(Resampling::Systematic);
  g.resize(4);
  g.begin();
  EXPECT_FALSE(g.drawn());
  EXPECT_EQ(g.parents(), nullptr);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(g.parent(i), i);
}

TEST(Genealogy, DrawsFromTheWeightsAndForgetsItWithoutResampling) {
  Genealogy g(Resampling::Systematic);
  g.resize(4);
  g.begin();
  advance(g, 4);
  Stream stream(StreamName{1}, 0, 0);
  const double none = -std::numeric_limits<double>::infinity();
  g.draw(weights({none, none, 0, none}), stream, false);
  EXPECT_TRUE(g.drawn());
  EXPECT_EQ(g.distinct_parents(), 1u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(g.parents()[i], 2u);
  g.stay();
  EXPECT_EQ(g.parent(3), 3u);
}

TEST(Genealogy, ConditionalDrawKeepsSlotZero) {
  Genealogy g(Resampling::Multinomial);
  g.resize(3);
  g.begin();
  Stream stream(StreamName{2}, 0, 0);
  const double none = -std::numeric_limits<double>::infinity();
  g.draw(weights({none, 0, none}), stream, true);
  EXPECT_EQ(g.parent(0), 0u);
  EXPECT_EQ(g.parent(1), 1u);
  EXPECT_EQ(g.parent(2), 1u);
}

// The evidence was complete before the last resampling: the roots at that time count, not
// those of the one family that is left now.
TEST(Genealogy, VarianceLooksAtTheGenerationThatCompletedTheEvidence) {
  Genealogy g(Resampling::Systematic);
  g.resize(4);
  g.begin();
  advance(g, 4);
  Stream stream(StreamName{3}, 0, 0);
  const Weights before = weights({std::log(1.0), std::log(2.0), std::log(3.0), std::log(2.0)});
  g.draw(before, stream, false);
  advance(g, 4);
  const double unweighted = g.evidence_error(weights({0, 0, 0, 0}), before).variance;
  EXPECT_NEAR(unweighted, (1 + 0 + 1 + 0) / 3.0 / 4 / 4, 1e-12);
}

TEST(Genealogy, RemembersTheTreeOnlyWhenAsked) {
  Genealogy g(Resampling::Systematic);
  g.resize(2);
  g.begin();
  EXPECT_EQ(g.tree().generations(), 0u);
  g.remember_generation();
  EXPECT_EQ(g.tree().generations(), 1u);
  g.begin();
  EXPECT_EQ(g.tree().generations(), 0u);
}

}  // namespace
}  // namespace chancel
