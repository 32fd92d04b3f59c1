// SPDX-License-Identifier: Apache-2.0
#include "math/uniformity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace chancel {
namespace {

std::vector<double> sample(std::mt19937_64& random, std::size_t n, double power) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(std::pow(std::uniform_real_distribution<>()(random), power));
  return out;
}

// p-values of uniform samples are below alpha with probability alpha: 2000 samples, where 3.3
// standard deviations are left with probability 1e-3.
TEST(Uniformity, HoldsItsLevel) {
  const Uniformity test(100, 5000);
  std::mt19937_64 random(7);
  for (const double alpha : {0.01, 0.1, 0.5}) {
    int below = 0;
    for (int i = 0; i < 2000; ++i) below += test.p_value(sample(random, 100, 1)) <= alpha;
    EXPECT_NEAR(below / 2000.0, alpha, 3.3 * std::sqrt(alpha * (1 - alpha) / 2000) + 0.005)
        << alpha;
  }
}

TEST(Uniformity, SeesSlopesAndHeaps) {
  const Uniformity test(200, 5000);
  std::mt19937_64 random(8);
  EXPECT_LT(test.p_value(sample(random, 200, 1.5)), 0.001);
  std::vector<double> heap = sample(random, 200, 1);
  for (double& u : heap) u = 0.5 + (u - 0.5) * 0.8;
  EXPECT_LT(test.p_value(heap), 0.001);
  std::vector<double> ends = sample(random, 200, 1);
  for (double& u : ends) u = u < 0.5 ? u * 0.6 : 1 - (1 - u) * 0.6;
  EXPECT_LT(test.p_value(ends), 0.001);
}

TEST(Uniformity, BandSurroundsTheDiagonal) {
  const Uniformity test(100, 2000);
  const Uniformity::Band band = test.band(0.01);
  for (std::size_t i = 0; i < band.low.size(); ++i) {
    const double z = static_cast<double>(i + 1) / static_cast<double>(band.low.size() + 1);
    EXPECT_LT(band.low[i], z);
    EXPECT_GT(band.high[i], z);
    EXPECT_LT(band.high[i] - band.low[i], 0.4);
  }
}

}  // namespace
}  // namespace chancel
