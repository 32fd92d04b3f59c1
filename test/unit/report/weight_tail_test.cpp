// SPDX-License-Identifier: Apache-2.0
// Pareto k-hat of the weights of a run, by draws and by sweeps, and the warning that follows.
#include "report/weight_tail.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "chancel/summary.hpp"
#include "math/pareto_smoothing.hpp"

namespace chancel {
namespace {

// The i-th of weights with a tail of this shape, from one.
double heavy_log_weight(int i, double shape) {
  return -shape * std::log(std::fmod(i * 0.6180339887498949, 1.0));
}

report::DrawFrame frame_of(std::vector<double> log_weights, std::vector<std::uint32_t> sweeps) {
  report::DrawFrame frame;
  frame.stretches = {{0, log_weights.size()}};
  frame.log_weights = std::move(log_weights);
  frame.sweep_rows = std::move(sweeps);
  frame.index();
  return frame;
}

TEST(WeightTail, OfDrawsWithSweepsOfTheirOwn) {
  std::vector<double> logs;
  for (int i = 1; i <= 1000; ++i) logs.push_back(heavy_log_weight(i, 0.9));
  const double shape =
      report::weight_tail_shape(frame_of(logs, std::vector<std::uint32_t>(logs.size(), 1)));
  EXPECT_EQ(shape, pareto_shape(logs));
  EXPECT_GT(shape, 0.7);
}

// Particles of equal weight: the sweeps, of which there must be enough for a tail.
TEST(WeightTail, OfSweepsWhoseParticlesAreEqual) {
  const auto shape_of = [](int sweeps) {
    std::vector<double> logs, sums;
    for (int s = 1; s <= sweeps; ++s) {
      sums.push_back(heavy_log_weight(s, 1.1));
      for (int i = 0; i < 10; ++i) logs.push_back(sums.back() - std::log(10.0));
    }
    const double shape = report::weight_tail_shape(
        frame_of(logs, std::vector<std::uint32_t>(static_cast<std::size_t>(sweeps), 10)));
    if (sweeps >= 25) {
      EXPECT_NEAR(shape, pareto_shape(sums), 1e-9);
    }
    return shape;
  };
  EXPECT_GT(shape_of(400), 0.7);
  EXPECT_TRUE(std::isnan(shape_of(10)));
}

// Sweeps of equal weight: their particles.
TEST(WeightTail, OfParticlesWithinSweeps) {
  std::vector<double> logs;
  for (int s = 0; s < 4; ++s)
    for (int i = 1; i <= 500; ++i) logs.push_back(heavy_log_weight(i, 1.0) + 3);
  EXPECT_GT(report::weight_tail_shape(frame_of(logs, {500, 500, 500, 500})), 0.7);
}

TEST(WeightTail, IsUndefinedForEqualWeights) {
  const std::vector<double> logs(100, 2.0);
  EXPECT_TRUE(std::isnan(
      report::weight_tail_shape(frame_of(logs, std::vector<std::uint32_t>(logs.size(), 1)))));
}

Summary weighted_summary(double ess, double shape) {
  Summary summary;
  summary.draws = 10000;
  summary.sweeps = 10000;
  summary.chains = 1;
  summary.weighted = true;
  summary.weight_ess = ess;
  summary.pareto_k = shape;
  return summary;
}

TEST(WeightTail, IsAWarning) {
  const auto weight_of = [](double ess, double shape) -> std::optional<Advice::Weight> {
    for (const Advice& a : advise(weighted_summary(ess, shape), {}))
      if (a.code == "I007") return a.weight;
    return std::nullopt;
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(weight_of(5000, 0.5), std::nullopt);
  EXPECT_EQ(weight_of(5000, kNone), std::nullopt);
  EXPECT_EQ(weight_of(5000, 0.71), Advice::Weight::Doubt);
  EXPECT_EQ(weight_of(5000, 1.2), Advice::Weight::Grave);
  EXPECT_EQ(weight_of(50, 0.5), Advice::Weight::Doubt);
  EXPECT_EQ(weight_of(5, 0.5), Advice::Weight::Grave);
}

TEST(WeightTail, IsShown) {
  const Summary summary = weighted_summary(5000, 0.834);
  EXPECT_NE(draws_table(summary).find("effective sample size 5000.0, Pareto k-hat 0.83\n"),
            std::string::npos);
  EXPECT_NE(json(summary, {}, {}).find("\"pareto_k\": 0.834"), std::string::npos);
}

}  // namespace
}  // namespace chancel
