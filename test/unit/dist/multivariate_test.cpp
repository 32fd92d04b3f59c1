// SPDX-License-Identifier: Apache-2.0
// Draws of the vector and matrix distributions. Their projections follow known univariate
// distributions, which the rig has checked: compared by the Dvoretzky-Kiefer-Wolfowitz bound (false
// alarms 1e-9). And sampler and density are held against each other: the mean of q(x)/p(x) over
// draws of p is 1 for any density q of the same family (6.2 standard errors, about 1e-9).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "by_value.hpp"
#include "dist/distribution.hpp"
#include "literal.hpp"

namespace chancel {
namespace {

constexpr std::size_t kDraws = 50000;

class Multivariate : public testing::Test {
 protected:
  Multivariate() : arena_(heap_) {}
  Value make(const char* name, const char* args) {
    const DistType* type = find_distribution(name);
    const std::vector<Value> values = Literal(arena_, args).all();
    NativeContext cx(arena_);
    const Value d = type->construct(cx, values.data(), static_cast<std::uint32_t>(values.size()));
    EXPECT_TRUE(cx.ok()) << cx.failure.message;
    return d;
  }
  static double at(const Value& v, std::uint32_t i) {
    return to_double(vector_nth(v.as<Vector>(), i));
  }
  static double at(const Value& v, std::uint32_t i, std::uint32_t j) {
    return at(vector_nth(v.as<Vector>(), i), j);
  }

  // How far f(draw) strays from the distribution `reference`, over the bound.
  double stray(const Value& dist, const std::function<double(const Value&)>& f,
               const Value& reference) {
    Stream stream(StreamName{17}, 0, 0);
    std::vector<double> x(kDraws);
    for (double& v : x) v = f(draw(dist, stream, arena_));
    std::sort(x.begin(), x.end());
    const auto* r = reference.as<Dist>();
    const auto n = static_cast<double>(kDraws);
    double worst = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      if (i + 1 < kDraws && x[i + 1] == x[i]) continue;
      worst = std::max(worst, std::fabs(static_cast<double>(i + 1) / n - r->type->cdf(r, x[i])));
    }
    return worst / std::sqrt(std::log(2 / 1e-9) / (2 * n));
  }
  // |mean of q/p over draws of p - 1| over 6.2 standard errors.
  double ratio(const Value& p, const Value& q) {
    Stream stream(StreamName{18}, 0, 0);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < kDraws; ++i) {
      const Value x = draw(p, stream, arena_);
      const double r = std::exp(log_prob(q, x) - log_prob(p, x));
      sum += r;
      squares += r * r;
    }
    const auto n = static_cast<double>(kDraws);
    const double mean = sum / n;
    return std::fabs(mean - 1) / (6.2 * std::sqrt((squares / n - mean * mean) / n));
  }
  Heap heap_;
  Arena arena_;
};

TEST_F(Multivariate, NormalProjections) {
  const Value d = make("mvn", "[1 -2] [[2 0.6] [0.6 1]]");
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 0); }, make("normal", "1 1.4142135623730951")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 1); }, make("normal", "-2 1")),
            1);
  // 2 x - y has mean 4 and variance 8 - 2.4 + 1.
  EXPECT_LT(stray(
                d, [](const Value& x) { return 2 * at(x, 0) - at(x, 1); },
                make("normal", "4 2.569046515733026")),
            1);
  EXPECT_LT(ratio(d, make("mvn", "[1.2 -2] [[1.5 0.3] [0.3 0.9]]")), 1);
}

TEST_F(Multivariate, TProjections) {
  const Value d = make("multivariate-t", "5 [1 -2] [[2 0.6] [0.6 1]]");
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 1); }, make("student-t-loc-scale", "5 -2 1")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return 2 * at(x, 0) - at(x, 1); },
                make("student-t-loc-scale", "5 4 2.569046515733026")),
            1);
  EXPECT_LT(ratio(d, make("multivariate-t", "7 [1.2 -2] [[1.5 0.3] [0.3 0.9]]")), 1);
}

TEST_F(Multivariate, WishartProjections) {
  const Value d = make("wishart", "4.5 [[3 2] [2 7]]");
  // a' X a / a' V a is chi-squared with n degrees of freedom for any a.
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 0, 0) / 3; }, make("chi-squared", "4.5")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 1, 1) / 7; }, make("chi-squared", "4.5")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return (at(x, 0, 0) - 2 * at(x, 0, 1) + at(x, 1, 1)) / 6; },
                make("chi-squared", "4.5")),
            1);
  EXPECT_LT(ratio(d, make("wishart", "5.5 [[2 1] [1 5]]")), 1);
  EXPECT_LT(ratio(make("wishart", "6 [[1 0 0.2] [0 2 0] [0.2 0 1]]"),
                  make("wishart", "7 [[0.8 0 0.1] [0 1.5 0] [0.1 0 0.8]]")),
            1);
}

// The first diagonal number of an inverse Wishart matrix is inverse gamma.
TEST_F(Multivariate, InverseWishartProjections) {
  const Value d = make("inverse-wishart", "7.5 [[3 2] [2 7]]");
  EXPECT_LT(stray(
                d, [](const Value& v) { return at(v, 0, 0); }, make("inverse-gamma", "3.25 1.5")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& v) { return at(v, 1, 1); }, make("inverse-gamma", "3.25 3.5")),
            1);
  EXPECT_LT(ratio(d, make("inverse-wishart", "8.5 [[3 2.2] [2.2 7]]")), 1);
}

// Each correlation is a beta variable on (-1, 1); density and sampler of both forms agree.
TEST_F(Multivariate, CorrelationProjections) {
  for (const auto& [n, args, shape] :
       {std::tuple{2u, "2 0.7", "0.7 0.7"}, std::tuple{4u, "4 1.5", "2.5 2.5"}}) {
    const Value d = make("lkj", args);
    const Value reference = make("beta", shape);
    for (std::uint32_t i = 1; i < n; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        EXPECT_LT(stray(
                      d, [&](const Value& v) { return 0.5 * (1 + at(v, i, j)); }, reference),
                  1);
      }
    }
  }
  EXPECT_LT(ratio(make("lkj", "4 1.5"), make("lkj", "4 2.5")), 1);
  EXPECT_LT(ratio(make("lkj-cholesky", "4 1.5"), make("lkj-cholesky", "4 2.5")), 1);
}

TEST_F(Multivariate, DirichletProjections) {
  for (const char* alpha : {"[2 3 1.5]", "[0.2 3 0.5]"}) {
    const Value d = make("dirichlet", alpha);
    const double a = to_double(vector_nth(Literal(arena_, alpha).all()[0].as<Vector>(), 0));
    const double rest = a == 2 ? 4.5 : 3.5;
    const std::string marginal = std::to_string(a) + " " + std::to_string(rest);
    EXPECT_LT(stray(
                  d, [](const Value& x) { return at(x, 0); }, make("beta", marginal.c_str())),
              1);
  }
  EXPECT_LT(ratio(make("dirichlet", "[2 3 1.5]"), make("dirichlet", "[2.5 2.5 2]")), 1);
  EXPECT_LT(ratio(make("dirichlet", "[0.2 3 0.5]"), make("dirichlet", "[0.3 2.8 0.6]")), 1);
}

TEST_F(Multivariate, CountVectors) {
  const Value d = make("multinomial", "40 [1 2 5]");
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 0); }, make("binomial", "40 0.125")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 1); }, make("binomial", "40 0.25")),
            1);
  EXPECT_LT(stray(
                d, [](const Value& x) { return at(x, 2); }, make("binomial", "40 0.625")),
            1);
  EXPECT_LT(ratio(d, make("multinomial", "40 [1.1 2 5]")), 1);
  EXPECT_LT(ratio(make("dirichlet-multinomial", "12 [0.5 2 3]"),
                  make("dirichlet-multinomial", "12 [0.7 2 2.5]")),
            1);
}

TEST_F(Multivariate, AWrongScaleIsCaught) {
  const Value d = make("wishart", "4.5 [[3 2] [2 7]]");
  EXPECT_GT(stray(
                d, [](const Value& x) { return at(x, 0, 0) / 3.2; }, make("chi-squared", "4.5")),
            1);
  // A density that is 2 % too large everywhere.
  DistType wrong = *d.as<Dist>()->type;
  wrong.log_prob = [](NativeContext& cx, const Dist* dist, const Value& x) {
    return find_distribution("wishart")->log_prob(cx, dist, x) + 0.02;
  };
  const Value q = make("wishart", "5.5 [[2 1] [1 5]]");
  EXPECT_LT(ratio(d, q), 1);
  q.as<Dist>()->type = &wrong;
  EXPECT_GT(ratio(d, q), 1);
}

}  // namespace
}  // namespace chancel
