// SPDX-License-Identifier: Apache-2.0
// When native code is compared with the interpreter, and who then runs the sweeps.
#include "particles/tier_judge.hpp"

#include <gtest/gtest.h>

#include <string>

namespace chancel {
namespace {

// Sweeps as a string: n natively, i by the interpreter. In native ones `returned` of 100 particles come back.
std::string sweeps(int count, double native_seconds, double interpreted_seconds,
                   std::size_t returned) {
  TierJudge judge;
  std::string out;
  double now = 0;
  for (int i = 0; i < count; ++i) {
    const bool native = judge.begin_sweep(now);
    out += native ? 'n' : 'i';
    now += native ? native_seconds : interpreted_seconds;
    if (native) judge.add(100 - returned, returned);
  }
  return out;
}

TEST(TierJudge, IsContentWhereFewParticlesComeBack) {
  EXPECT_EQ(sweeps(12, 2.0, 1.0, 0), "nnnnnnnnnnnn");
  EXPECT_EQ(sweeps(12, 2.0, 1.0, 5), "nnnnnnnnnnnn");
}

TEST(TierJudge, ComparesWhereManyComeBack) {
  EXPECT_EQ(sweeps(12, 2.0, 1.0, 50), "ninininiiiii");
  EXPECT_EQ(sweeps(12, 1.0, 2.0, 50), "ninininnnnnn");
}

TEST(TierJudge, ComparesWhereNoneCanBeRun) { EXPECT_EQ(sweeps(9, 1.1, 1.0, 100), "ninininii"); }

}  // namespace
}  // namespace chancel
