// SPDX-License-Identifier: Apache-2.0
// Columns and the rows made of them: kinds, probabilities, errors of weighted draws, missing
// values, clones.
#include "report/estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel {
namespace {

using namespace report;

DrawFrame frame_of(std::vector<double> log_weights, std::uint64_t sweeps, unsigned chains = 1) {
  DrawFrame frame;
  const std::size_t each = log_weights.size() / chains;
  for (unsigned chain = 0; chain < chains; ++chain) frame.stretches.push_back({chain, each});
  frame.log_weights = std::move(log_weights);
  frame.sweep_rows.assign(sweeps, static_cast<std::uint32_t>(frame.log_weights.size() / sweeps));
  frame.index();
  return frame;
}

TEST(ColumnTest, TurnsIntoADictionaryWhenSomethingElseComes) {
  Column column(2);
  column.push_number(1, true);
  column.push_missing();
  column.push_text(":a");
  column.push_number(2.5, false);
  ASSERT_EQ(column.rows(), 6u);
  EXPECT_TRUE(column.is_missing(0));
  EXPECT_EQ(column.text(2), "1");
  EXPECT_TRUE(column.is_missing(3));
  EXPECT_EQ(column.text(4), ":a");
  EXPECT_EQ(column.text(5), "2.5");
}

TEST(ColumnTest, KeepsRealNaNApartFromMissing) {
  Column column;
  column.push_number(std::nan(""), false);
  column.push_missing();
  EXPECT_FALSE(column.is_missing(0));
  EXPECT_TRUE(column.is_missing(1));
}

TEST(EstimateTest, OfSmallIntegersAreProbabilities) {
  Column column;
  std::vector<double> log_weights;
  for (int i = 0; i < 1000; ++i) {
    column.push_number(i * 7919 % 1000 < 300 ? 2 : -1, true);
    log_weights.push_back(0);
  }
  const Estimate row = estimate(column, false, frame_of(log_weights, 1000));
  EXPECT_EQ(row.kind, Estimate::Kind::Discrete);
  ASSERT_EQ(row.support.size(), 2u);
  EXPECT_EQ(row.support[0].value, "-1");
  EXPECT_DOUBLE_EQ(row.support[0].probability, 0.7);
  EXPECT_EQ(row.support[1].value, "2");
  EXPECT_DOUBLE_EQ(row.support[1].probability, 0.3);
  EXPECT_GT(row.support[1].mcse, 0);
  EXPECT_NEAR(row.mean, -0.1, 1e-12);
}

TEST(EstimateTest, OfManyIntegersAreReal) {
  Column column;
  std::vector<double> log_weights(100, -2.0);
  for (int i = 0; i < 100; ++i) column.push_number(i, true);
  EXPECT_EQ(estimate(column, false, frame_of(log_weights, 100)).kind, Estimate::Kind::Real);
}

TEST(EstimateTest, OfIndependentWeightedDrawsAreWorkedOutByHand) {
  Column column;
  for (double x : {1.0, 2.0, 4.5}) column.push_number(x, false);
  // w = 1 2 1 (scaled by e^-700): mean 9.5 / 4.
  const DrawFrame frame = frame_of({-700, -700 + std::log(2), -700}, 3);
  const Estimate row = estimate(column, false, frame);
  const double mean = 9.5 / 4;
  EXPECT_NEAR(row.mean, mean, 1e-12);
  // The delta method gives 0.660, sd / sqrt(ESS) more.
  const double sum = std::pow(1 - mean, 2) + 2 * std::pow(2 - mean, 2) + std::pow(4.5 - mean, 2);
  EXPECT_NEAR(row.mcse, std::sqrt(sum / (4 - 6.0 / 4) / (16.0 / 6)), 1e-12);
  EXPECT_NEAR(row.ess_bulk, 16.0 / 6, 1e-12);
  EXPECT_NEAR(row.ess_tail, 16.0 / 6, 1e-12);
  EXPECT_EQ(row.q50, 2);
}

TEST(EstimateTest, OfClonesInASweepCountAncestors) {
  // 40 sweeps of 50 draws with sweep weights; each sweep has 5 ancestors of 10 clones.
  Column column;
  std::vector<double> log_weights;
  std::uint64_t state = 1;
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int sweep = 0; sweep < 40; ++sweep) {
    const double log_weight = 0.1 * uniform();
    for (int ancestor = 0; ancestor < 5; ++ancestor) {
      const double x = uniform();
      for (int clone = 0; clone < 10; ++clone) {
        column.push_number(x, false);
        log_weights.push_back(log_weight);
      }
    }
  }
  const Estimate row = estimate(column, false, frame_of(log_weights, 40));
  EXPECT_GT(row.ess_bulk, 120);  // 200 independent values; far fewer than 2000 draws
  EXPECT_LT(row.ess_bulk, 300);
  EXPECT_NEAR(row.mcse, std::sqrt(1.0 / 12 / 200), 0.3 * std::sqrt(1.0 / 12 / 200));
}

TEST(EstimateTest, OfSweepsCountsWhatAWholeSweepShares) {
  // 30 sweeps of 100 draws that are the sweep's own number and a little noise in no order.
  Column column;
  std::vector<double> log_weights;
  std::uint64_t state = 5;
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  };
  for (int sweep = 0; sweep < 30; ++sweep) {
    const double shared = 0.1 * uniform();
    for (int i = 0; i < 100; ++i) {
      column.push_number(shared + uniform(), false);
      log_weights.push_back(0);
    }
  }
  const Estimate row = estimate(column, false, frame_of(log_weights, 30));
  // The error of the shared part alone is 0.1 sqrt(1/12/30) = 0.0053; together with the noise
  // 0.0075.
  EXPECT_NEAR(row.mcse, 0.0075, 0.003);
}

TEST(EstimateTest, OfDrawsThatMissTheLabelSayHowMany) {
  Column column;
  for (int i = 0; i < 8; ++i)
    i % 4 == 0 ? column.push_missing() : column.push_text(i % 2 ? ":a" : ":b");
  const Estimate row = estimate(column, false, frame_of(std::vector<double>(8, 0.0), 8));
  EXPECT_DOUBLE_EQ(row.presence, 0.75);
  ASSERT_EQ(row.support.size(), 2u);
  EXPECT_EQ(row.support[0].value, ":a");  // most probable first
  EXPECT_NEAR(row.support[0].probability, 2.0 / 3, 1e-12);
}

TEST(EstimateTest, OfAConstantHasNoErrorUnlessItDependsOnNoDraw) {
  Column column;
  for (int i = 0; i < 50; ++i) column.push_number(3.5, false);
  const DrawFrame frame = frame_of(std::vector<double>(50, 0.0), 50);
  const Estimate row = estimate(column, false, frame);
  EXPECT_EQ(row.mean, 3.5);
  EXPECT_EQ(row.sd, 0);
  EXPECT_TRUE(std::isnan(row.mcse));
  EXPECT_TRUE(std::isnan(row.ess_bulk));
  EXPECT_EQ(row.change, Estimate::Change::No);
  const Estimate fixed = estimate(column, false, frame, true);
  EXPECT_EQ(fixed.mcse, 0);
  EXPECT_EQ(fixed.change, Estimate::Change::Fixed);
  // All particles of one sweep have the value: one ancestor may have made it.
  const Estimate coalesced = estimate(column, false, frame_of(std::vector<double>(50, 0.0), 1));
  EXPECT_TRUE(std::isnan(coalesced.mcse));
  EXPECT_EQ(coalesced.change, Estimate::Change::Coalesced);
}

// Large weights at the mean, small ones far from it: the delta method alone gives a third of this.
TEST(EstimateTest, OfWeightedDrawsHasNoErrorBelowSdOverRootEss) {
  Column column;
  std::vector<double> log_weights;
  for (int i = 0; i < 200; ++i) {
    const bool heavy = i % 50 == 0;
    column.push_number(heavy ? 0.001 * i : i % 2 == 0 ? 3.5 : -3.5, false);
    log_weights.push_back(heavy ? 4 : 0);
  }
  const Estimate row = estimate(column, false, frame_of(log_weights, 200));
  EXPECT_GE(row.mcse, row.sd / std::sqrt(row.ess_bulk) * (1 - 1e-12));
}

TEST(EstimateTest, OfNumbersAtTheEndsOfTheRangeAreThoseOfOnesNearOne) {
  Column moderate, largest, smallest;
  for (int i = 0; i < 200; ++i) {
    const double x = (i * 37 % 101) / 101.0 - 0.5;
    moderate.push_number(x, false);
    largest.push_number(std::ldexp(x, 1024), false);
    smallest.push_number(std::ldexp(x, -1010), false);
  }
  const DrawFrame frame = frame_of(std::vector<double>(200, 0.0), 200);
  const Estimate a = estimate(moderate, false, frame);
  for (const auto& [column, exponent] : {std::pair{&largest, 1024}, std::pair{&smallest, -1010}}) {
    const Estimate b = estimate(*column, false, frame);
    EXPECT_NEAR(std::ldexp(b.mean, -exponent), a.mean, 1e-12);
    EXPECT_NEAR(std::ldexp(b.sd, -exponent), a.sd, 1e-12);
    EXPECT_NEAR(std::ldexp(b.mcse, -exponent), a.mcse, 1e-12);
    EXPECT_NEAR(b.ess_bulk, a.ess_bulk, 1e-9 * a.ess_bulk);
    EXPECT_NEAR(b.r_hat, a.r_hat, 1e-9);
  }
}

TEST(EstimateTest, OfNaNIsNaNNotNonsense) {
  Column column;
  for (int i = 0; i < 20; ++i) column.push_number(i == 7 ? std::nan("") : i, false);
  const Estimate row = estimate(column, false, frame_of(std::vector<double>(20, 0.0), 20));
  EXPECT_TRUE(std::isnan(row.mean));
  EXPECT_TRUE(std::isnan(row.q50));
}

TEST(EstimateTest, OfChainsThatDisagreeHasALargeRHat) {
  Column column;
  for (int chain = 0; chain < 2; ++chain) {
    for (int i = 0; i < 100; ++i) column.push_number(i * 37 % 100 + 200.5 * chain, false);
  }
  const Estimate apart = estimate(column, false, frame_of(std::vector<double>(200, 0.0), 200, 2));
  EXPECT_GT(apart.r_hat, 1.5);
  std::vector<double> log_weights;
  for (int i = 0; i < 200; ++i) log_weights.push_back(i % 2 ? 0 : -0.5);
  const Estimate weighted = estimate(column, false, frame_of(log_weights, 200, 2));
  EXPECT_GT(weighted.r_hat, 1.5);
}

TEST(EstimateTest, WithoutAnyWeightDoesNotCrash) {
  Column column;
  for (int i = 0; i < 5; ++i) column.push_number(i, true);
  const double zero = -std::numeric_limits<double>::infinity();
  const Estimate row = estimate(column, false, frame_of(std::vector<double>(5, zero), 5));
  EXPECT_TRUE(std::isnan(row.mean));
}

}  // namespace
}  // namespace chancel
