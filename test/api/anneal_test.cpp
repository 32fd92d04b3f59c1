// SPDX-License-Identifier: Apache-2.0
// Engine anneal: how often twice its standard error covers the exact evidence, and modes that chains
// do not find. Seeds are fixed.
#include <gtest/gtest.h>
#include <chancel/chancel.hpp>

#include <cmath>

namespace chancel {
namespace {

struct Answer {
  double log_evidence, error, mean;
};
Answer infer(Model& model, const char* engine, const char* settings, std::uint64_t seed,
             std::uint64_t samples) {
  InferOptions options;
  options.algorithm = engine;
  options.engine_options = read_engine_options(settings);
  options.samples = samples;
  options.seed = seed;
  options.threads = 1;
  Inference run = model.infer(model.default_query(), options);
  double sum = 0, count = 0;
  while (const Draw* draw = run.next()) {
    const double w = std::exp(draw->log_weight);
    sum += w * (*draw)["x"].number();
    count += w;
  }
  const RunStatistics& s = run.statistics();
  return {s.log_evidence.value_or(0), s.log_evidence_se.value_or(0), sum / count};
}

// A line through four points; slope and intercept are correlated by -0.91, so that single-site moves
// are slow. The points are normal: their log density is -8.584431.
const char* const kLine =
    "(defquery line (let [x (sample (normal 0 10)) b (sample (normal 0 10))]"
    " (observe (normal (+ x b) 0.5) 3.1) (observe (normal (+ x (* 2 b)) 0.5) 5.2)"
    " (observe (normal (+ x (* 3 b)) 0.5) 6.8) (observe (normal (+ x (* 4 b)) 0.5) 9.1)"
    " (predict :x x)))";
const double kLineEvidence = -8.584431039621258;

// 95 are expected; fewer than 89 have probability 0.004, and fewer than 80 none.
TEST(Anneal, TwiceItsErrorCoversTheEvidence) {
  Model model = Model::compile(kLine);
  for (const char* move :
       {":move :nuts", ":move :block", ":move :single-site :steps 10 :noise :none",
        ":move :single-site :steps 10"}) {
    int covered = 0;
    double squares = 0, errors = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const std::string settings =
          std::string(":number-of-particles 500 :number-of-chains 50 ") + move;
      const Answer a = infer(model, "anneal", settings.c_str(), seed, 1);
      const double off = a.log_evidence - kLineEvidence;
      covered += std::fabs(off) <= 2 * a.error;
      squares += off * off;
      errors += a.error * a.error;
    }
    EXPECT_GE(covered, 89) << move;
    // Nor is it too large to be of use.
    EXPECT_NEAR(std::sqrt(errors / squares), 1, 0.25) << move;
  }
}

// Two normals, forty of their standard deviations apart, with 0.3 and 0.7 of the posterior.
const char* const kTwoModes =
    "(defquery two-modes (let [x (sample (normal 0 3)) y (sample (normal 0 3))"
    "  at (fn [m] (+ (observe* (normal x 0.2) m) (observe* (normal y 0.2) m)))]"
    " (factor (log (+ (* 0.3 (exp (at 4))) (* 0.7 (exp (at -4))))))"
    " (predict :x (if (> x 0) 1 0))))";

TEST(Anneal, WeighsModesThatChainsDoNotFind) {
  Model model = Model::compile(kTwoModes);
  for (const char* engine : {"lmh", "nuts"}) {
    const Answer stuck = infer(model, engine, "", 1, 3000);
    EXPECT_TRUE(stuck.mean < 0.05 || stuck.mean > 0.95) << engine << stuck.mean;
  }
  for (const char* move : {":nuts", ":block", ":single-site"}) {
    const std::string settings =
        std::string(":number-of-particles 4000 :number-of-chains 800 :move ") + move;
    // Five runs; of one the standard error is 0.07.
    const Answer a = infer(model, "anneal", settings.c_str(), 1, 20000);
    EXPECT_NEAR(a.mean, 0.3, 0.1) << move;
  }
}

}  // namespace
}  // namespace chancel
