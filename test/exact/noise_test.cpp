// SPDX-License-Identifier: Apache-2.0
// The noise of draws (single_site/noise.hpp): standard normal whatever the distribution
// (Kolmogorov-Smirnov, 4000 draws, false alarm 1e-6 for a distribution), and the draw with it is
// the draw.
#include "single_site/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dist/distribution.hpp"
#include "math/normal.hpp"
#include "random/stream.hpp"

namespace exact {
namespace {

using namespace chancel;

struct Distribution {
  const char* name;
  std::vector<double> parameters;
};
const Distribution kDistributions[] = {
    {"normal", {3, 0.5}},         {"log-normal", {1, 2}},    {"gamma", {0.3, 2}},
    {"beta", {2, 0.5}},           {"exponential", {4}},      {"uniform-continuous", {-1, 5}},
    {"student-t", {3}},           {"half-normal", {2}},      {"flip", {0.3}},
    {"bernoulli", {0.9}},         {"poisson", {2.5}},        {"poisson", {400}},
    {"binomial", {7, 0.2}},       {"binomial", {900, 0.7}},  {"geometric", {0.3}},
    {"uniform-discrete", {2, 5}}, {"neg-binomial", {10, 2}}, {"laplace", {0, 1}}};

class Noise : public ::testing::Test {
 protected:
  Value make(const Distribution& distribution) {
    NativeContext cx(arena_);
    std::vector<Value> args;
    const bool whole = std::string_view(distribution.name) == "uniform-discrete";
    for (const double p : distribution.parameters)
      args.push_back(
          whole || (p == std::floor(p) && std::string_view(distribution.name) == "binomial")
              ? Value::integer(static_cast<std::int64_t>(p))
              : Value::real(p));
    const Value d = find_distribution(distribution.name)
                        ->construct(cx, args.data(), static_cast<std::uint32_t>(args.size()));
    EXPECT_TRUE(cx.ok()) << distribution.name << ' ' << cx.failure.message;
    return d;
  }
  Heap heap_;
  Arena arena_{heap_};
};

TEST_F(Noise, IsNormalWhateverTheDistribution) {
  constexpr int kDraws = 4000;
  for (const Distribution& distribution : kDistributions) {
    const Value d = make(distribution);
    ASSERT_TRUE(has_noise(d)) << distribution.name;
    NativeContext cx(arena_);
    Stream stream(StreamName{11}, 0, 0);
    std::vector<double> ranks;
    for (int i = 0; i < kDraws; ++i) {
      const Value x = d.as<Dist>()->type->sample(cx, d.as<Dist>(), stream);
      double noise;
      Value back;
      ASSERT_TRUE(noise_of(d, x, stream, &noise) && draw_with(d, noise, &back))
          << distribution.name;
      ranks.push_back(normal_cdf(noise));
      EXPECT_EQ(back.tag, x.tag) << distribution.name;
      if (x.is(Tag::Double))
        EXPECT_NEAR(back.d, x.d, 1e-9 * std::fmax(1, std::fabs(x.d))) << distribution.name;
      else
        EXPECT_EQ(back.bits, x.bits) << distribution.name;
    }
    std::sort(ranks.begin(), ranks.end());
    double most = 0;
    for (int i = 0; i < kDraws; ++i)
      most = std::fmax(most, std::fabs(ranks[static_cast<std::size_t>(i)] - (i + 0.5) / kDraws));
    EXPECT_LT(most * std::sqrt(kDraws), 2.7) << distribution.name;
  }
}

TEST_F(Noise, FarOutIsRefused) {
  Stream stream(StreamName{12}, 0, 0);
  double noise;
  Value x;
  const Value t = make({"exponential", {1}}), far = make({"normal", {0, 1}});
  EXPECT_FALSE(noise_of(t, Value::real(40), stream, &noise));
  EXPECT_FALSE(draw_with(t, 8, &x));
  // A closed form has its digits anywhere.
  EXPECT_TRUE(noise_of(far, Value::real(40), stream, &noise));
  EXPECT_EQ(noise, 40);
  EXPECT_TRUE(draw_with(far, 40, &x));
  EXPECT_EQ(x.d, 40);
  EXPECT_FALSE(has_noise(Value::nil()));
  EXPECT_FALSE(has_noise(make({"von-mises", {0, 1}})));
  // Next to 1 there are few numbers: each stands for an interval of noise.
  const Value edge = make({"beta", {0.01, 0.01}});
  EXPECT_FALSE(noise_of(edge, Value::real(1 - 0x1p-50), stream, &noise));
  EXPECT_TRUE(noise_of(edge, Value::real(0.9), stream, &noise));
}

}  // namespace
}  // namespace exact
