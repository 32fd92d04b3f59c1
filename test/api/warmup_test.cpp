// SPDX-License-Identifier: Apache-2.0
// Warm-up: engines that adapt do so before the first draw, and stand still from then on.
#include <gtest/gtest.h>

#include <vector>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

// The posterior is two hundred times narrower than the prior.
const char* const kFar =
    "(defquery q (let [x (sample (normal 0 10))] (observe (normal x 0.05) 3) (predict :x x)))";

struct Drawn {
  std::vector<double> draws;
  std::vector<std::uint64_t> sweeps;
  RunStatistics statistics;
  double acceptance() const {
    return static_cast<double>(statistics.accepted) / static_cast<double>(statistics.proposals);
  }
};

Drawn infer(const char* engine, const char* options, std::uint64_t samples,
            std::optional<std::uint64_t> warmup) {
  auto model = Model::compile(kFar);
  InferOptions o;
  o.algorithm = engine;
  o.engine_options = read_engine_options(options);
  o.samples = samples;
  o.warmup = warmup;
  o.seed = 5;
  o.threads = 1;
  auto inference = model.infer("q", o);
  Drawn run;
  for (const Draw& draw : inference) {
    run.draws.push_back(draw["x"].number());
    run.sweeps.push_back(draw.sweep);
  }
  run.statistics = inference.statistics();
  return run;
}

TEST(Warmup, walks_are_led_to_a_good_step) {
  EXPECT_LT(infer("rmh", ":alpha 1", 4000, 0).acceptance(), 0.05);
  const Drawn run = infer("rmh", ":alpha 1", 4000, 1000);
  EXPECT_NEAR(run.acceptance(), 0.44, 0.08);
  EXPECT_EQ(run.statistics.warmup, 1000u);
  EXPECT_EQ(run.statistics.proposals, 4000u);  // those of the warm-up are not among them
}

TEST(Warmup, is_as_long_as_the_draws_unless_given) {
  EXPECT_EQ(infer("rmh", "", 700, {}).statistics.warmup, 700u);
  EXPECT_EQ(infer("almh", "", 700, {}).statistics.warmup, 700u);
  EXPECT_EQ(infer("palmh", ":number-of-threads 3", 700, {}).statistics.warmup, 2100u);
  EXPECT_EQ(infer("lmh", "", 700, {}).statistics.warmup, 0u);
  EXPECT_EQ(infer("rmh", "", 700, 0).statistics.warmup, 0u);
}

TEST(Warmup, none_of_it_is_a_draw) {
  const Drawn run = infer("rmh", "", 10, 500);
  ASSERT_EQ(run.draws.size(), 10u);
  EXPECT_EQ(run.sweeps.front(), 0u);
  for (const double x : run.draws) EXPECT_NEAR(x, 3, 0.5);
}

// What was learnt does not change any more: with a warm-up of one step the walk keeps its first
// scale, give or take that step's lesson, however long the run.
TEST(Warmup, ends) { EXPECT_LT(infer("rmh", ":alpha 1", 4000, 1).acceptance(), 0.05); }

TEST(Warmup, of_an_engine_that_does_not_adapt_is_left_out) {
  const Drawn all = infer("lmh", "", 300, 0);
  const Drawn late = infer("lmh", "", 200, 100);
  EXPECT_EQ(late.draws, std::vector<double>(all.draws.begin() + 100, all.draws.end()));
}

}  // namespace
