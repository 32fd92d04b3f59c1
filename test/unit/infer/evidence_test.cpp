// SPDX-License-Identifier: Apache-2.0
// Moments in log space, the genealogy estimator by hand, and the index step of ipmcmc.
#include "infer/evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "particles/node_index.hpp"

namespace chancel {
namespace {

TEST(LogMoments, MeanAndError) {
  LogMoments m;
  for (const double x : {1.0, 2.0, 6.0}) m.add(-2000 + std::log(x));
  m.add(kLogZero);
  // values 1 2 6 0: mean 9/4, sample variance (41 - 81/4)/3
  EXPECT_NEAR(m.log_mean(), -2000 + std::log(2.25), 1e-12);
  const double carriers = 81 / 41.0;  // (1 + 2 + 6)^2 / (1 + 4 + 36): most of it is one value
  EXPECT_LT(carriers, 2);
  EXPECT_TRUE(std::isnan(m.log_mean_se()));
  m.add(-2000 + std::log(5.0));
  // with 5: mean 14/5, sample variance (66 - 196/5)/4, 196/66 carriers
  EXPECT_NEAR(m.log_mean_se(), widening(196 / 66.0 - 1) * std::sqrt((66 - 39.2) / 4 / 5) / 2.8,
              1e-12);
}

TEST(LogMoments, NothingButZeros) {
  LogMoments m;
  m.add(kLogZero);
  EXPECT_EQ(m.log_mean(), kLogZero);
  EXPECT_TRUE(std::isnan(m.log_mean_se()));
}

TEST(Genealogy, WithoutResamplingItIsTheVarianceOfTheMean) {
  // Every particle its own ancestor: sum (w - mean)^2 / (N (N-1)) / mean^2, the usual estimate.
  const std::vector<std::uint32_t> roots = {0, 1, 2, 3};
  const std::vector<double> w = {1, 2, 3, 6};
  std::vector<double> scratch;
  const double mean = 3;
  const double variance = (4 + 1 + 0 + 9) / 3.0;
  EXPECT_NEAR(genealogy_error(roots, w, 12, 0, scratch).variance, variance / 4 / (mean * mean),
              1e-12);
}

TEST(Genealogy, OneFamilyIsHopeless) {
  std::vector<double> scratch;
  EXPECT_TRUE(std::isnan(genealogy_error(std::vector<std::uint32_t>{2, 2, 2},
                                         std::vector<double>{1, 1, 1}, 3, 5, scratch)
                             .variance));
}

TEST(NodeIndex, ReproducesTheReferenceFrequencies) {
  // 4 conditional chains over 8 nodes; frequencies after the index step from (0 1 2 3), as
  // published with the issue (+- .005).
  const std::vector<double> log_evidence = {-3, -4, -1, -8, -10, -5, -4, -3.4};
  const double expected[8] = {.22461, .11994, .24693, .00132, .00044, .06128, .14521, .20026};
  std::vector<double> seen(8, 0), occupancy, mean_occupancy(8, 0);
  const int runs = 200000;
  std::vector<std::uint32_t> c;
  for (int k = 0; k < runs; ++k) {
    c = {0, 1, 2, 3};
    Stream s(StreamName{11}, 0, static_cast<std::uint32_t>(k));
    draw_node_indices(log_evidence, c, s, occupancy);
    for (const std::uint32_t m : c) seen[m] += 0.25 / runs;
    for (std::size_t m = 0; m < 8; ++m) mean_occupancy[m] += occupancy[m] / runs;
  }
  for (std::size_t m = 0; m < 8; ++m) {
    EXPECT_NEAR(seen[m], expected[m], .005) << m;
    EXPECT_NEAR(mean_occupancy[m], expected[m], .005) << m;
  }
}

}  // namespace
}  // namespace chancel
