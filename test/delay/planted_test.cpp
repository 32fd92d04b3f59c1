// SPDX-License-Identifier: Apache-2.0
// Planted mistakes (delay/planted.hpp): each must be seen on some program of this folder.
#include "delay/planted.hpp"

#include <gtest/gtest.h>

#include "check.hpp"

namespace chancel {
DelayMistake delay_mistake = DelayMistake::None;
}  // namespace chancel

namespace delayed {
namespace {

using chancel::delay_mistake;
using chancel::DelayMistake;

// The first difference that is seen while this mistake is planted; empty: none is.
std::string first_difference(DelayMistake mistake) {
  std::string seen;
  delay_mistake = mistake;
  for (const Answer& answer : answers()) {
    if (seen.empty())
      seen = difference(answer, {"smc", ":delayed true :number-of-particles 1"}, 4000, 7);
  }
  delay_mistake = DelayMistake::None;
  return seen;
}

TEST(Planted, NothingIsSeenWithoutAMistake) { EXPECT_EQ(first_difference(DelayMistake::None), ""); }

TEST(Planted, EveryMistakeIsSeen) {
  for (int i = 1; i <= static_cast<int>(DelayMistake::ScaleKeptAfterDraw); ++i)
    EXPECT_NE(first_difference(static_cast<DelayMistake>(i)), "") << "mistake " << i;
}

}  // namespace
}  // namespace delayed
