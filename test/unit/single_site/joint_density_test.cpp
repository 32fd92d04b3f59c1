// SPDX-License-Identifier: Apache-2.0
// The joint density that is kept up has the bits of one over all terms, however rarely it is asked for.
#include "single_site/joint_density.hpp"

#include <gtest/gtest.h>

#include <random>

namespace chancel {
namespace {

struct State {
  std::vector<double> scores, draws;
  double before = -1.25;
  int asked = 0;

  double of(JointDensity& joint, bool* ok) {
    asked = 0;
    double out = 0;
    *ok = joint.value(
        before, scores.size(),
        [&](std::size_t i, double* x) { return ++asked, *x = scores[i], true; }, draws.size(),
        [&](std::size_t i, double* x) { return ++asked, *x = draws[i], true; }, &out);
    return out;
  }
};

TEST(JointDensity, IsThatOfAllTerms) {
  std::mt19937_64 random(5);
  const auto number = [&] { return static_cast<double>(random() % 100003) / -97.0; };
  State state;
  JointDensity kept;
  for (int step = 0; step < 3000; ++step) {
    if (step % 97 == 0) {  // another execution from some draw on
      const std::size_t from = state.draws.empty() ? 0 : random() % state.draws.size();
      const std::size_t scores_from = std::min(from, state.scores.size());
      state.draws.resize(from);
      state.scores.resize(scores_from);
      for (std::uint64_t n = 1 + random() % 40; n > 0; --n) state.draws.push_back(number());
      for (std::uint64_t n = random() % 40; n > 0; --n) state.scores.push_back(number());
      kept.scores_changed_from(scores_from);
      kept.draws_changed_from(from);
    }
    for (std::uint64_t n = random() % 4; n > 0; --n) {
      const std::size_t i = random() % state.draws.size();
      state.draws[i] = number();
      kept.draw_changed(i);
      if (state.scores.empty()) continue;
      const std::size_t k = random() % state.scores.size();
      state.scores[k] = number();
      kept.score_changed(k);
    }
    if (step % 500 > 250 && random() % 60 != 0) continue;  // long stretches without a question
    bool ok = false;
    JointDensity anew;
    const double all = state.of(anew, &ok);
    EXPECT_EQ(state.asked, state.draws.size() + state.scores.size());
    ASSERT_EQ(state.of(kept, &ok), all) << step;
    EXPECT_TRUE(ok);
  }
}

TEST(JointDensity, AsksForWhatHasChanged) {
  State state;
  state.scores.assign(1000, -2);
  state.draws.assign(1000, -0.5);
  JointDensity joint;
  bool ok = false;
  EXPECT_EQ(state.of(joint, &ok), -2501.25);
  EXPECT_EQ(state.asked, 2000);
  EXPECT_EQ(state.of(joint, &ok), -2501.25);
  EXPECT_EQ(state.asked, 0);
  state.draws[7] = state.scores[3] = 1;
  joint.draw_changed(7);
  joint.score_changed(3);
  EXPECT_EQ(state.of(joint, &ok), -2496.75);
  EXPECT_EQ(state.asked, 2);
}

TEST(JointDensity, OneTermMayFail) {
  JointDensity joint;
  double out = 0;
  bool fails = true;
  const auto draw = [&](std::size_t i, double* x) { return *x = -1, !(fails && i == 2); };
  const auto none = [](std::size_t, double*) { return true; };
  EXPECT_FALSE(joint.value(0, 0, none, 4, draw, &out));
  fails = false;
  EXPECT_TRUE(joint.value(0, 0, none, 4, draw, &out));
  EXPECT_EQ(out, -4);
}

}  // namespace
}  // namespace chancel
