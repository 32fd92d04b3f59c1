// SPDX-License-Identifier: Apache-2.0
// Every engine whose weights differ has a Pareto k-hat in its summary, and warns by it.
#include <gtest/gtest.h>

#include <cmath>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace {

using namespace chancel;

// The likelihood is in the tail of the prior: the largest weights of executions from the prior are still
// to come.
constexpr const char* kFarOff = R"(
(defquery far-off []
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (observe (normal (+ x y) 0.05) 7)
    (predict :x x))))";
// One that is not.
constexpr const char* kNear = R"(
(defquery near []
  (let [x (sample (normal 0 1))
        y (sample (normal 0 1))]
    (observe (normal (+ x y) 2) 1)
    (predict :x x))))";

struct Seen {
  Summary summary;
  bool warned = false;
};

Seen weights_of(const char* program, const char* engine, const char* options) {
  Model model = Model::compile(program, {});
  InferOptions how;
  how.algorithm = engine;
  how.engine_options = read_engine_options(options);
  how.samples = 4000;
  how.seed = 3;
  how.threads = 1;
  Inference run = model.infer(model.queries().front().name, how);
  SummaryBuilder builder;
  while (const Draw* draw = run.next()) builder.add(*draw);
  Seen seen{builder.summary(run.statistics()), false};
  for (const Advice& a : advise(seen.summary, run.statistics()))
    seen.warned |= a.code == "I007" && a.message.find("Pareto k-hat") != std::string::npos;
  return seen;
}

struct WeightedEngine {
  const char* engine;
  const char* options;
  bool learns;  // its proposals come close to the posterior
};

class ParetoK : public ::testing::TestWithParam<WeightedEngine> {};

TEST_P(ParetoK, IsThereAndWarns) {
  const WeightedEngine& e = GetParam();
  const Seen near = weights_of(kNear, e.engine, e.options);
  ASSERT_TRUE(near.summary.weighted);
  EXPECT_TRUE(std::isfinite(near.summary.pareto_k)) << near.summary.pareto_k;
  EXPECT_LT(near.summary.pareto_k, 0.7);
  EXPECT_FALSE(near.warned);
  if (e.learns) return;
  const Seen far = weights_of(kFarOff, e.engine, e.options);
  EXPECT_GT(far.summary.pareto_k, 0.7);
  EXPECT_TRUE(far.warned);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, ParetoK,
    ::testing::Values(WeightedEngine{"importance", "", false},
                      WeightedEngine{"smc", ":number-of-particles 20", false},
                      WeightedEngine{"pcascade", ":number-of-particles 20", false},
                      WeightedEngine{"lais", "", true}, WeightedEngine{"bbvb", "", true},
                      WeightedEngine{"anneal", ":number-of-particles 40 :number-of-chains 10",
                                     true}),
    [](const auto& info) { return std::string(info.param.engine); });

TEST(ParetoKTest, IsUndefinedWhereWeightsAreEqual) {
  const Seen lmh = weights_of(kNear, "lmh", "");
  EXPECT_FALSE(lmh.summary.weighted);
  EXPECT_TRUE(std::isnan(lmh.summary.pareto_k));
}

}  // namespace
