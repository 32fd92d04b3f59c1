// SPDX-License-Identifier: Apache-2.0
// Draw::pointwise against densities written out by hand, for every engine that knows it.
#include <gtest/gtest.h>

#include <cmath>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

double log_normal(double x, double mean, double sd) {
  return -0.5 * (x - mean) * (x - mean) / (sd * sd) - std::log(sd) - 0.5 * std::log(2 * M_PI);
}

// An observe before the first draw, one that a draw decides on, and a draw after the last one.
const char* const kProgram =
    "(defquery q\n"
    " (observe (flip 0.25) true)\n"
    " (let [s (sample (exponential 2))\n"
    "       x (sample (normal 1 s))]\n"
    "  (observe (normal x 0.5) 2)\n"
    "  (observe (normal x s) 3)\n"
    "  (if (> x 1.5) (observe (normal 0 x) 1))\n"
    "  (predict :s s) (predict :x x) (predict :y (sample (normal x 1)))))\n";

std::vector<ObserveTerm> terms_of(const Draw& d) {
  const double s = d["s"].number(), x = d["x"].number();
  std::vector<ObserveTerm> out = {
      {2, std::log(0.25)}, {5, log_normal(2, x, 0.5)}, {6, log_normal(3, x, s)}};
  if (x > 1.5) out.push_back({7, log_normal(1, 0, x)});
  return out;
}

InferOptions options(const std::string& engine, bool pointwise) {
  InferOptions o;
  o.algorithm = engine;
  o.samples = 300;
  o.warmup = 100;
  o.seed = 3;
  o.pointwise = pointwise;
  return o;
}

TEST(Pointwise, IsTheDensityOfEachObserve) {
  for (const char* engine :
       {"nuts", "block", "lmh", "rmh", "almh", "plmh", "palmh", "importance"}) {
    auto model = Model::compile(kProgram);
    std::size_t draws = 0, with_last = 0;
    for (const Draw& d : model.infer("q", options(engine, true))) {
      const auto expected = terms_of(d);
      ASSERT_EQ(d.pointwise.size(), expected.size()) << engine;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(d.pointwise[i].line, expected[i].line) << engine;
        const double truth = expected[i].log_likelihood;
        EXPECT_NEAR(d.pointwise[i].log_likelihood, truth, 1e-12 * (1 + std::fabs(truth))) << engine;
      }
      ++draws;
      with_last += expected.size() == 4;
    }
    EXPECT_GT(draws, 100u) << engine;
    EXPECT_GT(with_last, 10u) << engine;
  }
}

TEST(Pointwise, ChangesNoDraw) {
  for (const char* engine : {"nuts", "lmh", "importance"}) {
    std::string texts[2];
    for (const bool asked : {false, true}) {
      auto model = Model::compile(kProgram);
      for (const Draw& d : model.infer("q", options(engine, asked))) {
        EXPECT_EQ(d.pointwise.empty(), !asked);
        for (const Predict& p : d.predicts) texts[asked] += p.value.print() + " ";
        texts[asked] += std::to_string(d.log_weight) + "\n";
      }
    }
    EXPECT_EQ(texts[0], texts[1]) << engine;
  }
}

TEST(Pointwise, IsRefusedByParticles) {
  auto model = Model::compile(kProgram);
  try {
    model.infer("q", options("smc", true));
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.messages().front().code, "I002");
    EXPECT_NE(e.messages().front().hint.find("nuts"), std::string::npos);
  }
}

}  // namespace
