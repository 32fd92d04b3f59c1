// SPDX-License-Identifier: Apache-2.0
// Weights: relative weights, effective sample size and mean against direct sums; zero weights;
// chunks.
#include "infer/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Weights, RelativeToTheLargest) {
  Weights w;
  const std::vector<double> logs = {-1000, -1001, -1000 + std::log(3)};
  w.set(logs);
  EXPECT_DOUBLE_EQ(w.relative()[2], 1);
  EXPECT_NEAR(w.relative()[0], 1 / 3.0, 1e-12);
  EXPECT_NEAR(w.log_mean(), -1000 + std::log((1 + std::exp(-1) + 3) / 3), 1e-12);
  const double a = 1, b = std::exp(-1), c = 3;
  EXPECT_NEAR(w.ess(), (a + b + c) * (a + b + c) / (a * a + b * b + c * c), 1e-12);
}

TEST(Weights, ZeroWeightsCount) {
  Weights w;
  w.set(std::vector<double>{-kInfinity, 0, -kInfinity, 0});
  EXPECT_TRUE(w.any());
  EXPECT_DOUBLE_EQ(w.ess(), 2);
  EXPECT_DOUBLE_EQ(w.log_mean(), std::log(0.5));
}

TEST(Weights, AllZeroHaveMeanZero) {
  Weights w;
  w.set(std::vector<double>{-kInfinity, -kInfinity});
  EXPECT_FALSE(w.any());
  EXPECT_EQ(w.ess(), 0);
  EXPECT_EQ(w.log_mean(), -kInfinity);
}

TEST(Weights, ChunksInAnyOrderGiveTheSameBits) {
  std::vector<double> logs(5 * kWeightChunk + 37);
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = std::sin(static_cast<double>(i)) * 10;
  Weights forward;
  forward.set(logs);
  Weights backward;
  backward.resize(logs.size());
  const double largest = Weights::largest(logs);
  for (std::size_t c = backward.chunks(); c-- > 0;) backward.scale_chunk(logs, largest, c);
  backward.finish(largest);
  EXPECT_EQ(forward.log_mean(), backward.log_mean());
  EXPECT_EQ(forward.ess(), backward.ess());
}

}  // namespace
}  // namespace chancel
