// SPDX-License-Identifier: Apache-2.0
// Points that draws hit with positive probability: the ends to which they are clipped, and the
// earlier values of a Dirichlet process. Fit scores them by their mass, everything else by the
// density. The masses are compared with draws (20 000, fixed seed, 6 standard errors).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "by_value.hpp"
#include "dist/distribution.hpp"
#include "literal.hpp"
#include "value/collections.hpp"

namespace chancel {
namespace {

constexpr double kLeast = std::numeric_limits<double>::min();
constexpr double kMost = std::numeric_limits<double>::max();

class PointMass : public testing::Test {
 protected:
  PointMass() : arena_(heap_) {}
  Value make(const char* name, const char* args) {
    const std::vector<Value> values = Literal(arena_, args).all();
    return make(name, values);
  }
  Value make(const char* name, const std::vector<Value>& values) {
    NativeContext cx(arena_);
    const Value d = find_distribution(name)->construct(cx, values.data(),
                                                       static_cast<std::uint32_t>(values.size()));
    EXPECT_TRUE(cx.ok()) << cx.failure.message;
    return d;
  }
  Fit fit(const Value& dist, const Value& x) {
    NativeContext cx(arena_);
    return dist_type(dist)->fit(cx, dist.as<Dist>(), x);
  }
  Heap heap_;
  Arena arena_;
};

struct Case {
  const char* name;
  const char* args;
  double point;
  double mass;  // worked out elsewhere (scipy, or by hand where scipy underflows)
};

TEST_F(PointMass, OfClippedDrawsIsWhatTheyHave) {
  // (2.2e-308)^a / Gamma(a + 1) and the like: with log(DBL_MIN) = -708.396, log(DBL_MAX) = 709.783.
  const Case cases[] = {
      {"beta", "0.01 0.01", 1 - 0x1.0p-53, 0.5 * std::exp(-0.01 * 53 * std::log(2.0)) * 1.00016},
      {"beta", "0.001 0.001", kLeast, 0.5 * std::exp(-0.708396)},
      {"beta", "0.001 0.5", kLeast, std::exp(-0.708396 + 0.001386) * 0.998},
      {"gamma", "0.001 1", kLeast, std::exp(-0.708396 + 0.000576)},
      {"gamma", "0.001 1e-100", kLeast, std::exp(-0.708396 - 0.230259 + 0.000576)},
      {"chi-squared", "0.002", kLeast, std::exp(-0.708396 - 0.000693 + 0.000576)},
      {"inverse-gamma", "0.001 1", kMost, std::exp(-0.709783 + 0.000576)},
      {"inverse-gamma", "0.001 1e100", kMost, std::exp(-0.709783 + 0.230259 + 0.000576)},
      {"log-normal", "-700 20", kLeast, 0.5 * std::erfc(8.396419 / 20 / std::sqrt(2.0))},
      {"log-normal", "700 20", kMost, 0.5 * std::erfc(9.782713 / 20 / std::sqrt(2.0))},
      {"pareto", "1 0.001", kMost, std::exp(-0.709783)},
      {"pareto", "1e-200 0.001", kMost, std::exp(-0.709783 - 0.460517)},
      {"weibull", "0.001 1", kLeast, -std::expm1(-std::exp(-0.708396))},
      {"weibull", "0.001 1", kMost, std::exp(-std::exp(0.709783))},
      {"student-t", "0.001", kMost, 0.5 * std::exp(-0.709783 - 0.5e-3 * std::log(1000.0)) * 1.0007},
      {"student-t-loc-scale", "0.001 5 1e50", -kMost,
       0.5 * std::exp(-0.709783 + 0.115129 - 0.5e-3 * std::log(1000.0)) * 1.0007},
  };
  constexpr int kDraws = 20000;
  for (const Case& c : cases) {
    const Value dist = make(c.name, c.args);
    const Fit f = fit(dist, Value::real(c.point));
    EXPECT_EQ(f.part, kPointMass) << c.name;
    EXPECT_NEAR(std::exp(f.log_prob), c.mass, 2e-3) << c.name << ' ' << c.args;
    Stream stream(StreamName{9}, 0, 0);
    int hits = 0;
    for (int i = 0; i < kDraws; ++i) hits += draw(dist, stream, arena_).d == c.point;
    const double p = std::exp(f.log_prob);
    EXPECT_NEAR(static_cast<double>(hits) / kDraws, p, 6 * std::sqrt(p * (1 - p) / kDraws))
        << c.name << ' ' << c.args;
    // Anywhere else it is the density.
    const Fit inside = fit(dist, Value::real(0.25));
    EXPECT_EQ(inside.part, kUsualPart);
    EXPECT_EQ(inside.log_prob, log_prob(dist, Value::real(0.25)));
  }
}

// A truncated normal is drawn inside its interval and only rounding takes it to an end: that gets no
// more than its part of the grid of doubles, as any other number, and this is its density. Even 1e7
// standard deviations out, as far as the parameters may go, this is 1 %.
TEST_F(PointMass, OfATruncatedNormalIsThatOfAnyNumber) {
  struct {
    const char* args;
    double end;
  } const cases[] = {
      {"0 1 6 ##Inf", 6},
      {"0 1 ##-Inf -9", -9},
      {"0 1 1e5 ##Inf", 1e5},
      {"0 1 1e7 ##Inf", 1e7},
      {"5 2 4 4.5", 4},
      {"5 2 4 4.5", 4.5},
      {"0 1e13 0 1", 0},
      {"0 1e13 0 1", 1},
      {"3e13 1e13 -1 1", 1},
      {"0 1 3 3.0000001", 3},
      {"0 1 3 3.0000001", 3.0000001},
      {"1e6 0.001 1e6 ##Inf", 1e6},
  };
  constexpr int kDraws = 20000;
  for (const auto& c : cases) {
    const Value dist = make("truncated-normal", c.args);
    const double step = std::nextafter(std::fabs(c.end), kMost) - std::fabs(c.end);
    const double share = step * std::exp(log_prob(dist, Value::real(c.end)));
    EXPECT_LT(share, 0.02) << c.args;
    Stream stream(StreamName{9}, 0, 0);
    int hits = 0;
    for (int i = 0; i < kDraws; ++i) hits += draw(dist, stream, arena_).d == c.end;
    EXPECT_LE(hits, kDraws * share + 6 * std::sqrt(kDraws * share)) << c.args;
  }
}

TEST_F(PointMass, OfADirichletIsByComponents) {
  const Value dist = make("dirichlet", "[0.001 0.002 1]");
  Stream stream(StreamName{9}, 0, 0);
  constexpr int kDraws = 20000;
  int hits = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto* v = draw(dist, stream, arena_).as<Vector>();
    hits += vector_nth(v, 0).d == kLeast && vector_nth(v, 1).d == kLeast;
  }
  const auto point = [&](double a, double b) {
    const Value items[] = {Value::real(a), Value::real(b), Value::real(1 - a - b)};
    return fit(dist, make_vector(arena_, items, 3));
  };
  const Fit both = point(kLeast, kLeast);
  const double p = std::exp(both.log_prob);
  EXPECT_NEAR(static_cast<double>(hits) / kDraws, p, 6 * std::sqrt(p * (1 - p) / kDraws));
  EXPECT_EQ(point(0.25, 0.25).part, kUsualPart);
  EXPECT_NE(point(kLeast, 0.25).part, point(0.25, kLeast).part);
  EXPECT_NE(point(kLeast, 0.25).part, both.part);
}

TEST_F(PointMass, OfADirichletProcessIsThatOfItsEarlierValues) {
  const Value normal = make("normal", "0 1");
  const Value counts = Literal(arena_, "{0.5 2}").all()[0];
  const Value dist = make("categorical-dp", {counts, normal, Value::real(3)});
  const Fit old = fit(dist, Value::real(0.5));
  EXPECT_EQ(old.part, kPointMass);
  EXPECT_NEAR(old.log_prob, std::log(2 / 5.0), 1e-15);
  const Fit other = fit(dist, Value::real(0.75));
  EXPECT_EQ(other.part, kUsualPart);
  EXPECT_NEAR(other.log_prob, std::log(3 / 5.0) + log_prob(normal, Value::real(0.75)), 1e-14);
  // A discrete base has masses only; one inside another is looked through.
  const Value coin = make("poisson", "1");
  const Value inner =
      make("categorical-dp", {Literal(arena_, "{}").all()[0], coin, Value::real(1)});
  const Value discrete =
      make("categorical-dp", {Literal(arena_, "{2 2}").all()[0], inner, Value::real(3)});
  const Fit seen = fit(discrete, Value::integer(2));
  EXPECT_EQ(seen.part, kUsualPart);
  EXPECT_NEAR(seen.log_prob, std::log((2 + 3 * std::exp(log_prob(coin, Value::integer(2)))) / 5),
              1e-14);
}

}  // namespace
}  // namespace chancel
