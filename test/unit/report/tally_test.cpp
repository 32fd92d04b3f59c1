// SPDX-License-Identifier: Apache-2.0
// Counting gives what sorting gives: a column of small whole numbers is counted, the same numbers
// as reals are sorted.
#include "report/tally.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/estimate.hpp"

namespace chancel::report {
namespace {

struct Draws {
  std::vector<double> values;
  DrawFrame frame;
};

// Sweeps of `particles` draws, which share ancestors; chains of unequal length.
Draws make(unsigned chains, std::size_t sweeps, std::size_t particles, bool weighted) {
  Draws out;
  std::uint64_t state = 11;
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (unsigned chain = 0; chain < chains; ++chain) {
    const std::size_t count = sweeps + 3 * chain;
    out.frame.stretches.push_back({chain, count * particles});
    for (std::size_t s = 0; s < count; ++s) {
      out.frame.sweep_rows.push_back(static_cast<std::uint32_t>(particles));
      const double log_weight = weighted ? 0.3 * uniform() : 0;
      double ancestor = 0;
      for (std::size_t p = 0; p < particles; ++p) {
        if (p % 3 == 0) ancestor = std::floor(5 * uniform() * uniform());
        out.values.push_back(ancestor);
        out.frame.log_weights.push_back(log_weight + (weighted ? 0.1 * uniform() : 0));
      }
    }
  }
  out.frame.index();
  return out;
}

void expect_same(double counted, double sorted, const char* what) {
  if (std::isnan(counted) && std::isnan(sorted)) return;
  EXPECT_NEAR(counted, sorted, 1e-9 * std::max(1.0, std::fabs(sorted))) << what;
}

TEST(Tally, AgreesWithSorting) {
  for (const bool weighted : {false, true}) {
    for (const unsigned chains : {1u, 3u}) {
      const Draws draws = make(chains, 120, 21, weighted);
      ASSERT_TRUE(draws.frame.blocks);
      Column whole, real;
      for (const double x : draws.values) {
        whole.push_number(x, true);
        real.push_number(x, false);
      }
      ASSERT_TRUE(Tally::of(whole, draws.frame).has_value());
      const Estimate a = estimate(whole, false, draws.frame);
      const Estimate b = estimate(real, false, draws.frame);
      expect_same(a.mean, b.mean, "mean");
      expect_same(a.sd, b.sd, "sd");
      expect_same(a.mad, b.mad, "mad");
      expect_same(a.q5, b.q5, "5%");
      expect_same(a.q50, b.q50, "50%");
      expect_same(a.q95, b.q95, "95%");
      expect_same(a.mcse, b.mcse, "mcse");
      expect_same(a.ess_bulk, b.ess_bulk, "ess_bulk");
      expect_same(a.ess_tail, b.ess_tail, "ess_tail");
      expect_same(a.r_hat, b.r_hat, "r_hat");
      ASSERT_EQ(a.support.size(), 5u);
      double sum = 0;
      for (const Support& s : a.support) sum += s.probability;
      EXPECT_NEAR(sum, 1, 1e-12);
      // A probability is the mean of its indicator, which is a label of its own.
      Column indicator;
      for (const double x : draws.values) indicator.push_number(x == 2 ? 1 : 0, false);
      const Estimate share = estimate(indicator, false, draws.frame);
      expect_same(a.support[2].probability, share.mean, "probability");
      EXPECT_LE(a.support[2].mcse, share.mcse * (1 + 1e-9));
      EXPECT_GE(a.support[2].mcse, 0.9 * share.mcse);
    }
  }
}

TEST(Tally, ChainsThatStandStillDisagreeWithoutBound) {
  const Draws draws = make(3, 120, 10, false);
  Column column;
  for (const DrawFrame::Stretch& stretch : draws.frame.stretches)
    for (std::size_t i = 0; i < stretch.rows; ++i) column.push_number(stretch.chain, true);
  ASSERT_TRUE(Tally::of(column, draws.frame).has_value());
  EXPECT_GT(estimate(column, false, draws.frame).r_hat, 100);
}

TEST(Tally, IsForManySweepsOfFewValues) {
  Column column;
  const Draws few = make(1, 50, 10, false);
  for (const double x : few.values) column.push_number(x, true);
  EXPECT_FALSE(Tally::of(column, few.frame).has_value());
  Column many;
  const Draws draws = make(1, 120, 10, false);
  for (std::size_t i = 0; i < draws.values.size(); ++i)
    many.push_number(static_cast<double>(i % 100), true);
  EXPECT_FALSE(Tally::of(many, draws.frame).has_value());
}

}  // namespace
}  // namespace chancel::report
