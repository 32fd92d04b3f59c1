// SPDX-License-Identifier: Apache-2.0
#include "page/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace chancel::page {
namespace {

double total(const Histogram& h) {
  return std::accumulate(h.mass.begin(), h.mass.end(), h.below + h.above);
}
double area(const Curve& c) {
  return std::accumulate(c.y.begin(), c.y.end(), 0.0) * (c.x[1] - c.x[0]);
}
// Quantiles of the exponential distribution: draws without chance.
std::vector<double> exponential(std::size_t n) {
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i)
    x.push_back(-std::log1p(-(static_cast<double>(i) + 0.5) / static_cast<double>(n)));
  return x;
}

TEST(Histogram, SumsToOneWithWeights) {
  const std::vector<double> x = {0, 1, 2, 3, 10}, w = {0.5, 0, 2, 1, 0.5};
  const Histogram h = histogram(x, w, false);
  EXPECT_NEAR(total(h), 1, 1e-12);
  EXPECT_EQ(h.low, 0);
  EXPECT_EQ(h.high, 10);
  EXPECT_NEAR(h.mass.front(), 0.5 / 4, 1e-12);
  EXPECT_NEAR(h.mass.back(), 0.5 / 4, 1e-12);
}

TEST(Histogram, WeightsCountLikeRepeatedDraws) {
  const std::vector<double> x = {1, 2, 5, 7}, w = {1, 2, 3, 1}, repeated = {1, 2, 2, 5, 5, 5, 7};
  const Histogram a = histogram(x, w, true), b = histogram(repeated, {}, true);
  ASSERT_EQ(a.mass.size(), b.mass.size());
  for (std::size_t i = 0; i < a.mass.size(); ++i) EXPECT_NEAR(a.mass[i], b.mass[i], 1e-12);
}

TEST(Histogram, IntegersHaveBinsOfTheirOwn) {
  const Histogram h = histogram(std::vector<double>{3, 4, 4, 6}, {}, true);
  EXPECT_EQ(h.low, 2.5);
  EXPECT_EQ(h.high, 6.5);
  EXPECT_EQ(h.mass, (std::vector<double>{0.25, 0.5, 0, 0.25}));
}

TEST(Histogram, AConstantIsASpike) {
  const Histogram h = histogram(std::vector<double>(100, 2.5), {}, false);
  ASSERT_GT(h.mass.size(), 20u);
  EXPECT_NEAR(h.mass[h.mass.size() / 2], 1, 1e-12);
  EXPECT_NEAR(total(h), 1, 1e-12);
  EXPECT_EQ((h.low + h.high) / 2, 2.5);
}

TEST(Histogram, LongTailsAreCountedNotShown) {
  std::vector<double> x;
  for (int i = 1; i < 1000; ++i) x.push_back(std::tan(M_PI * (i / 1000.0 - 0.5)));  // Cauchy
  const Histogram h = histogram(x, {}, false);
  EXPECT_GT(h.below, 0.001);
  EXPECT_GT(h.above, 0.001);
  EXPECT_LT(h.below + h.above, 0.03);
  EXPECT_NEAR(total(h), 1, 1e-12);
}

TEST(Histogram, WhatIsNotFiniteLiesOutside) {
  const Histogram h = histogram(std::vector<double>{-INFINITY, 1, 2, INFINITY}, {}, false);
  EXPECT_EQ(h.below, 0.25);
  EXPECT_EQ(h.above, 0.25);
  EXPECT_NEAR(total(h), 1, 1e-12);
}

TEST(Histogram, OfNothingIsEmpty) {
  EXPECT_TRUE(histogram({}, {}, false).mass.empty());
  EXPECT_TRUE(density(std::vector<double>(20, 7.0), {}).x.empty());
}

TEST(Density, OfAnExponentialKeepsItsMassInsideAndStartsHigh) {
  const std::vector<double> x = exponential(20'000);
  const Curve c = density(x, {});
  EXPECT_NEAR(area(c), 1, 0.01);
  EXPECT_NEAR(c.y.front(), 1, 0.1);  // without reflection it would be a half
  for (std::size_t i = 0; i < c.x.size() && c.x[i] < 5; i += 20) {
    EXPECT_NEAR(c.y[i], std::exp(-c.x[i]), 0.1) << c.x[i];
  }
}

TEST(Density, IsSmootherForFewerEffectiveDraws) {
  std::vector<double> x = exponential(2000);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] = -x[i];  // a peak at zero
  const Curve rough = density(x, {}), smooth = density(x, {}, 20);
  EXPECT_LT(*std::max_element(smooth.y.begin(), smooth.y.end()),
            0.9 * *std::max_element(rough.y.begin(), rough.y.end()));
  EXPECT_LT(histogram(x, {}, false, 50).mass.size(), histogram(x, {}, false).mass.size());
}

TEST(Density, RespectsWeights) {
  // Uniform draws with weight 2 on the right half.
  std::vector<double> x, w;
  for (int i = 0; i < 10'000; ++i) {
    x.push_back((i + 0.5) / 10'000);
    w.push_back(x.back() < 0.5 ? 1 : 2);
  }
  const Curve c = density(x, w);
  EXPECT_NEAR(c.y[128], 2.0 / 3, 0.02);
  EXPECT_NEAR(c.y[384], 4.0 / 3, 0.02);
}

TEST(Density, OfDataExtendsBeyondThem) {
  const std::vector<double> x = {1, 2, 2, 3, 3, 3, 4, 4, 5, 6};
  const Curve within = density(x, {}), beyond = density(x, {}, kAsWeighted, true);
  EXPECT_GE(within.x.front(), 1);
  EXPECT_LT(beyond.x.front(), 0);
  EXPECT_LT(beyond.y.front(), 0.02 * *std::max_element(beyond.y.begin(), beyond.y.end()));
  for (const Curve& curve : {within, beyond}) {
    double area = 0;
    for (const double y : curve.y) area += y * (curve.x[1] - curve.x[0]);
    EXPECT_NEAR(area, 1, 0.01);
  }
}

}  // namespace
}  // namespace chancel::page
