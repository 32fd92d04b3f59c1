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
  EXPECT_EQ(sweeps(12, 2.0, 1.0, 50), "niniiiiiiiii");
  EXPECT_EQ(sweeps(12, 1.0, 2.0, 50), "ninnnnnnnnnn");
}

TEST(TierJudge, ComparesWhereNoneCanBeRun) { EXPECT_EQ(sweeps(9, 1.1, 1.0, 100), "ninininii"); }

// The first sweep is timed by particles: what follows, when native code takes `native` times as long.
std::string after_sample(double native, double interpreted, double sweep_native,
                         double sweep_interpreted) {
  TierJudge judge;
  std::string out;
  double now = 0;
  for (int i = 0; i < 9; ++i) {
    const bool on = judge.begin_sweep(now);
    out += on ? 'n' : 'i';
    now += on ? sweep_native : sweep_interpreted;
    EXPECT_EQ(judge.compares_particles(), i == 0);
    if (i > 0) continue;
    judge.add_interpreted(interpreted * 62, 62);
    judge.add_native(native * 938, 938);
  }
  return out;
}

TEST(TierJudge, KeepsWhatIsClearlyFasterForEachParticle) {
  EXPECT_EQ(after_sample(1e-6, 2e-6, 2.0, 1.0), "nnnnnnnnn");
}

TEST(TierJudge, ComparesSweepsWhereParticlesTakeAsLong) {
  EXPECT_EQ(after_sample(1e-6, 1.1e-6, 2.0, 1.0), "niniiiiii");
  EXPECT_EQ(after_sample(2e-6, 1e-6, 2.0, 1.0), "niniiiiii");
  EXPECT_EQ(after_sample(1e-6, 1.1e-6, 1.0, 2.0), "ninnnnnnn");
}

}  // namespace
}  // namespace chancel
