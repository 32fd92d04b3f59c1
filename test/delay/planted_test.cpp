// SPDX-License-Identifier: Apache-2.0
// Planted mistakes (base/planted.hpp): each must be seen on some program of this folder.
#include "base/planted.hpp"

#include <gtest/gtest.h>

#include "check.hpp"

namespace delayed {
namespace {

using chancel::Mistake;
using chancel::PlantedMistake;

// The first difference that is seen while this mistake is planted; empty: none is.
std::string first_difference(Mistake mistake) {
  std::string seen;
  const PlantedMistake plant(mistake);
  for (const Answer& answer : answers()) {
    if (seen.empty())
      seen = difference(answer, {"smc", ":delayed true :number-of-particles 1"}, 4000, 7);
  }
  return seen;
}

TEST(Planted, NothingIsSeenWithoutAMistake) { EXPECT_EQ(first_difference(Mistake::None), ""); }

TEST(Planted, EveryMistakeIsSeen) {
  for (int i = static_cast<int>(Mistake::EdgeHalfTurned);
       i <= static_cast<int>(Mistake::ScaleKeptAfterDraw); ++i)
    EXPECT_NE(first_difference(static_cast<Mistake>(i)), "") << "mistake " << i;
}

}  // namespace
}  // namespace delayed
