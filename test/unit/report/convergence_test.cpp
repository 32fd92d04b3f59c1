// SPDX-License-Identifier: Apache-2.0
// Diagnostics against a direct transcription of the definitions (quadratic sums, no transform),
// made once in plain Python over the same generated chains; the bound of 1e-9 is for both ways of
// summing.
#include "report/convergence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "report/autocovariance.hpp"
#include "report/weighted.hpp"

namespace chancel {
namespace {

using namespace report;

struct Case {
  std::uint64_t seed;
  int chains, length;
  double persistence, shift;
  bool integer;
  double r_hat, ess_bulk, ess_tail, ess_mean, q5, mad;
};

constexpr Case kCases[] = {
    {1, 4, 100, 0.7, 0, false, 1.03561217247, 103.095581691, 153.258807123, 102.249765472,
     -0.642921208305, 0.388981129678},
    {2, 4, 101, 0.0, 0, false, 1.00616635597, 358.323088807, 376.767495283, 347.315564628,
     -0.449704856581, 0.364249017864},
    {3, 1, 500, 0.95, 0, false, 1.00804488948, 27.1029956668, 72.7206178217, 26.3952517053,
     -1.24497756279, 0.915618615229},
    {4, 2, 60, 0.3, 0.4, false, 1.33237319829, 5.76814244321, 99.0397566804, 5.67591586353,
     -0.379002868465, 0.421095646275},
    {5, 4, 250, 0.5, 0, true, 1.01406225844, 347.889557659, 605.862055451, 347.533980697, -3,
     1.4826},
    {6, 3, 200, -0.6, 0, false, 1.01354368374, 1666.89075023, 460.817143633, 1666.89075023,
     -0.563368191755, 0.380456557632},
    {7, 1, 37, 0.2, 0, false, 0.979317572019, 29.86460748, 40.7832167832, 30.9418869391,
     -0.425893994088, 0.348390206335},
    {8, 8, 64, 0.99, 0.1, false, 2.05858574098, 12.0227246659, 33.3893097654, 11.9864508008,
     -2.31075692088, 1.43448810957},
};

// An autoregression driven by a linear congruential generator.
Chains make(const Case& c) {
  std::uint64_t state = c.seed;
  Chains chains;
  for (int k = 0; k < c.chains; ++k) {
    auto& chain = chains.emplace_back();
    double x = 0;
    for (int i = 0; i < c.length; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      x = c.persistence * x + (static_cast<double>(state >> 11) * 0x1p-53 - 0.5);
      const double value = x + c.shift * k;
      chain.push_back(c.integer ? std::floor(4 * value) : value);
    }
  }
  return chains;
}

void expect_close(double found, double expected, const char* what) {
  EXPECT_NEAR(found, expected, 1e-9 * std::fabs(expected)) << what;
}

class Convergence : public testing::TestWithParam<Case> {};

TEST_P(Convergence, AgreesWithTheDefinitions) {
  const Case& c = GetParam();
  const Chains chains = make(c);
  expect_close(r_hat(chains), c.r_hat, "r_hat");
  expect_close(ess_bulk(chains), c.ess_bulk, "ess_bulk");
  expect_close(ess_tail(chains), c.ess_tail, "ess_tail");
  expect_close(ess_mean(chains), c.ess_mean, "ess_mean");
  std::vector<double> all;
  for (const auto& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  const Quantiles quantiles(all, {});
  expect_close(quantiles.at(0.05), c.q5, "5 % quantile");
  expect_close(quantiles.mad(), c.mad, "mad");
}

INSTANTIATE_TEST_SUITE_P(Chains, Convergence, testing::ValuesIn(kCases),
                         [](const auto& info) { return "Seed" + std::to_string(info.param.seed); });

TEST(Diagnostics, AreUndefinedWithoutSpread) {
  EXPECT_TRUE(std::isnan(r_hat({{1, 1, 1, 1, 1, 1, 1, 1}})));
  EXPECT_TRUE(std::isnan(ess_bulk({{2, 2, 2, 2, 2, 2, 2, 2}})));
  EXPECT_TRUE(std::isnan(ess_bulk({{1, 2}})));
  EXPECT_TRUE(std::isnan(ess_tail({{1, 2, std::nan(""), 4, 5, 6, 7, 8}})));
  EXPECT_TRUE(std::isnan(r_hat({})));
}

// In pieces, in more and larger pieces, and whole.
TEST(Autocovariances, OfLongSeriesAreSums) {
  std::vector<double> series;
  double x = 0;
  for (int i = 0; i < 50001; ++i) series.push_back(x = 0.95 * x + std::sin(i * i * 0.37));
  Autocovariance got(series);
  for (const std::size_t lag : {13u, 700u, 1023u, 1024u, 5000u, 8191u, 8192u, 40000u, 50000u}) {
    double sum = 0;
    for (std::size_t i = lag; i < series.size(); ++i)
      sum += (series[i] - got.mean()) * (series[i - lag] - got.mean());
    EXPECT_NEAR(got.at(lag), sum / static_cast<double>(series.size()), 1e-12) << lag;
  }
}

TEST(Autocovariances, AreTheSameDirectAndTransformed) {
  const Chains chains = make({11, 1, 301, 0.9, 0, false, 0, 0, 0, 0, 0, 0});
  Autocovariance direct(chains[0]);
  Autocovariance transformed(chains[0]);
  transformed.at(300);  // asks for all lags at once
  for (std::size_t lag = 0; lag < 40; ++lag) {
    EXPECT_NEAR(direct.at(lag), transformed.at(lag), 1e-13) << lag;
  }
}

}  // namespace
}  // namespace chancel
