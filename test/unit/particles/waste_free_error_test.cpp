// SPDX-License-Identifier: Apache-2.0
// The error of a waste-free run, by hand and on a made-up genealogy whose variance is known; and the
// choice of the next temperature.
#include "particles/waste_free_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "random/stream.hpp"
#include "tempering/temperatures.hpp"

namespace chancel {
namespace {

TEST(WasteFree, OneTemperatureIsTheVarianceOfTheMean) {
  const SweepError e = waste_free_error({{{1, 2, 3, 6}, {}}});
  EXPECT_NEAR(e.variance, (4 + 1 + 0 + 9) / 3.0 / 4 / 9, 1e-12);
  EXPECT_NEAR(e.families, 144.0 / 50, 1e-12);
}

TEST(WasteFree, EqualWeightsHaveNoError) {
  EXPECT_EQ(waste_free_error({{{2, 2, 2}, {}}, {{5, 5}, {0, 1}}}).variance, 0);
}

// The log evidence is a sum over temperatures of means of a quantity that a chain hands on to those
// that start from it, up to a share `memory`: an autoregression along each line of descent.
struct Made {
  double variance;  // as estimated, on average
  double true_variance;
};
Made made_up(double memory, int temperatures = 8) {
  constexpr int kRuns = 4000, kEstimated = 400, kBlocks = 50;
  double estimated = 0, sum = 0, squares = 0;
  for (int run = 0; run < kRuns; ++run) {
    Stream stream(StreamName{7}, static_cast<std::uint32_t>(run), 0);
    std::vector<BlockGeneration> generations;
    std::vector<double> x(kBlocks), y(kBlocks);
    double total = 0;
    for (int t = 0; t < temperatures; ++t) {
      BlockGeneration g;
      for (int b = 0; b < kBlocks; ++b) {
        if (t > 0) g.parents.push_back(static_cast<std::uint32_t>(stream.below(kBlocks)));
        y[b] = (t > 0 ? memory * x[g.parents.back()] : 0) + 0.02 * stream.normal();
        g.weights.push_back(1 + y[b]);
        total += y[b] / kBlocks;
      }
      x.swap(y);
      generations.push_back(g);
    }
    if (run < kEstimated) estimated += waste_free_error(generations).variance / kEstimated;
    sum += total;
    squares += total * total;
  }
  return {estimated, squares / kRuns - sum * sum / kRuns / kRuns};
}

TEST(WasteFree, EstimatesTheVarianceOverRuns) {
  // 4000 runs know a variance within 2 %, and 400 estimates their mean within 2 %. What is followed by
  // chance adds a fifteenth, and what is no longer seen where chains are slow takes a sixth.
  const Made fresh = made_up(0);
  EXPECT_NEAR(fresh.true_variance / (8 * 0.02 * 0.02 / 50), 1, 0.1);
  EXPECT_NEAR(fresh.variance / (8 * 0.02 * 0.02 / 50), 1.07, 0.1);
  const Made slow = made_up(0.5);
  EXPECT_NEAR(slow.variance / slow.true_variance, 0.98, 0.12);
  // A fixed lag of four would see half of it.
  const Made slower = made_up(0.8, 20);
  EXPECT_NEAR(slower.variance / slower.true_variance, 0.85, 0.12);
}

TEST(Temperatures, LeaveTheShareEffective) {
  const std::vector<double> logs = {-1, -2, -5, -20, -INFINITY};
  const double to = next_temperature(logs, 0, 0.7);
  double sum = 0, squares = 0;
  for (const double l : logs) {
    sum += std::exp(to * l);
    squares += std::exp(2 * to * l);
  }
  EXPECT_NEAR(sum * sum / squares, 0.7 * 4, 1e-9);
  EXPECT_GT(next_temperature(logs, to, 0.7), to);
}

TEST(Temperatures, EndAtOne) {
  EXPECT_EQ(next_temperature(std::vector<double>{-3, -3, -INFINITY}, 0, 0.5), 1);
  EXPECT_EQ(next_temperature(std::vector<double>{-3, -3.1}, 0.9, 0.5), 1);
  // Likelihoods that are worlds apart: a tiny step.
  const double to = next_temperature(std::vector<double>{0, -1e9, -2e9, -3e9}, 0, 0.5);
  EXPECT_GT(to, 1e-12);
  EXPECT_LT(to, 1e-8);
}

}  // namespace
}  // namespace chancel
