// SPDX-License-Identifier: Apache-2.0
// Improper priors under engines that need densities alone, and under one that draws.
#include <gtest/gtest.h>

#include <cmath>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

// Five observations of mean 2 under flat priors of mean and standard deviation: the mean has
// Student's t distribution with 3 degrees of freedom around 2, of scale sqrt(2.5 / (5 * 3)).
const char* const kFlat =
    "(defquery q (let [m (sample (flat)) s (sample (half-flat))]"
    " (doseq [y [1.0 2.0 3.0 2.5 1.5]] (observe (normal m s) y)) (predict :m m)))";

// P(|m - 2| < the quartile of that distribution) is 1/2, whatever the tails do to moments.
constexpr double kQuartile = 0.7648923284 * 0.408248290463863;

double share_within(const char* engine, std::uint64_t samples) {
  auto model = Model::compile(kFlat);
  InferOptions o;
  o.algorithm = engine;
  o.samples = samples;
  o.warmup = 2000;
  o.seed = 7;
  o.threads = 1;
  double within = 0;
  for (const Draw& d : model.infer("q", o)) within += std::fabs(d["m"].number() - 2) < kQuartile;
  return within / static_cast<double>(samples);
}

// Some 4000 effective draws: six standard errors.
TEST(Improper, single_site_engines_walk) {
  for (const char* engine : {"lmh", "rmh", "almh"})
    EXPECT_NEAR(share_within(engine, 60000), 0.5, 0.048) << engine;
}

TEST(Improper, gradients_do_without_draws) { EXPECT_NEAR(share_within("nuts", 6000), 0.5, 0.06); }

TEST(Improper, particles_cannot_be_drawn) {
  try {
    share_within("smc", 10);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.messages().front().code, "D003");
  }
}

}  // namespace
