// SPDX-License-Identifier: Apache-2.0
// Log-densities against published values (the test suite of the reference implementation), against
// each other where one distribution is a special case of another, and at the edges of supports.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "by_value.hpp"
#include "dist/distribution.hpp"
#include "literal.hpp"
#include "math/special.hpp"

namespace chancel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

class RunStatistics : public testing::Test {
 protected:
  RunStatistics() : arena_(heap_) {}
  double score(const char* name, const char* args, const char* x) {
    const DistType* type = find_distribution(name);
    const std::vector<Value> values = Literal(arena_, args).all();
    NativeContext cx(arena_);
    const Value d = type->construct(cx, values.data(), static_cast<std::uint32_t>(values.size()));
    EXPECT_TRUE(cx.ok()) << cx.failure.message;
    return log_prob(d, Literal(arena_, x).all()[0]);
  }
  Heap heap_;
  Arena arena_;
};

TEST_F(RunStatistics, OfTheReference) {
  const double e = 1e-4;
  EXPECT_NEAR(score("mvn", "[0 0 0] [[2 0 0] [0 1 0] [0 0 3]]", "[3 4 5]"), -18.0694, e);
  EXPECT_NEAR(score("mvn", "[0 0 0] [[2 0 0] [0 1 0] [0 0 3]]", "[0 0 0]"), -3.6527, e);
  EXPECT_NEAR(score("laplace", "2.1 1.4", "1"), -1.8153, e);
  EXPECT_NEAR(score("laplace", "2.1 1.4", "2"), -1.1011, e);
  EXPECT_NEAR(score("laplace", "2.1 1.4", "10"), -6.6725, e);
  EXPECT_NEAR(score("student-t", "3.1", "1"), -1.5715, e);
  EXPECT_NEAR(score("student-t", "3.1", "2"), -2.6971, e);
  EXPECT_NEAR(score("student-t", "3.1", "10"), -8.1821, e);
  EXPECT_NEAR(score("student-t-loc-scale", "3.1 10 2", "1"), -5.8308, e);
  EXPECT_NEAR(score("student-t-loc-scale", "3.1 10 2", "2"), -5.4190, e);
  EXPECT_NEAR(score("student-t-loc-scale", "3.1 10 2", "10"), -1.6915, e);
  EXPECT_NEAR(std::exp(score("chi-squared", "3.5", "1")), 0.1962028031, 1e-9);
  EXPECT_NEAR(std::exp(score("chi-squared", "3.5", "5.31")), 0.0795465759, 1e-9);
  EXPECT_NEAR(std::exp(score("chi-squared", "5.5", "5.31")), 0.1206835194, 1e-9);
  EXPECT_NEAR(score("wishart", "3.5 [[0.7 0] [0 0.07]]", "[[1 0] [0 1]]"), -5.3950, e);
  EXPECT_NEAR(score("wishart", "7.5 [[3 2] [2 7]]", "[[3.1 -0.3] [-0.3 11]]"), -12.5273, e);
  EXPECT_NEAR(score("categorical-crp", "{1 1, 2 2, 3 3} 0.1", "3"), std::log(3 / 6.1), 1e-12);
  EXPECT_NEAR(score("categorical-crp", "{1 1, 2 2, 3 3} 0.1", "0"), std::log(0.1 / 6.1), 1e-12);
  EXPECT_EQ(score("categorical-crp", "{1 1, 2 2, 3 3} 0.1", "4"), -kInf);
}

TEST_F(RunStatistics, WorkedOutByHand) {
  EXPECT_NEAR(score("normal", "1 2", "3"), -0.5 - std::log(2) - 0.5 * std::log(2 * kPi), 1e-15);
  EXPECT_NEAR(score("gamma", "2 3", "0.5"), std::log(9 * 0.5) - 1.5, 1e-14);  // 3^2 x e^(-3x)
  EXPECT_NEAR(score("exponential", "2", "1"), std::log(2) - 2, 1e-15);
  EXPECT_NEAR(score("beta", "2 3", "0.25"), std::log(12 * 0.25 * 0.5625), 1e-14);
  EXPECT_NEAR(score("poisson", "4", "2"), std::log(8) - 4, 1e-14);
  EXPECT_NEAR(score("poisson", "4", "2.0"), std::log(8) - 4, 1e-14);
  EXPECT_NEAR(score("binomial", "4 0.25", "1"), std::log(4 * 0.25 * 27.0 / 64), 1e-14);
  EXPECT_NEAR(score("geometric", "0.25", "2"), std::log(0.25 * 0.5625), 1e-14);
  EXPECT_NEAR(score("negative-binomial", "2 0.5", "3"), std::log(4.0 / 32), 1e-14);
  EXPECT_NEAR(score("beta-binomial", "2 1 1", "0"), std::log(1.0 / 3), 1e-14);
  EXPECT_NEAR(score("uniform-discrete", "0 4", "3"), std::log(0.25), 1e-15);
  EXPECT_NEAR(score("discrete", "[1 2 1]", "1"), std::log(0.5), 1e-15);
  EXPECT_NEAR(score("categorical", "[[:a 1] [:b 3]]", ":b"), std::log(0.75), 1e-15);
  EXPECT_NEAR(score("categorical", "[[:a 1] [:b 2] [:a 1]]", ":a"), std::log(0.5), 1e-15);
  EXPECT_NEAR(score("dirichlet", "[1 1 1]", "[0.2 0.3 0.5]"), std::log(2), 1e-14);
  EXPECT_NEAR(score("multinomial", "3 [1 1 2]", "[1 1 1]"), std::log(6.0 / 32), 1e-14);
  EXPECT_NEAR(score("pareto", "2 3", "4"), std::log(3 * 8.0 / 256), 1e-14);
  EXPECT_NEAR(score("weibull", "2 1", "0.5"), std::log(2 * 0.5) - 0.25, 1e-14);
  EXPECT_NEAR(score("inverse-gamma", "2 3", "2"), std::log(9.0 / 8) - 1.5, 1e-14);
  EXPECT_NEAR(score("cauchy", "0 1", "1"), -std::log(2 * kPi), 1e-14);
  EXPECT_EQ(score("dirac", "2", "2.0"), 0);
  EXPECT_EQ(score("dirac", "[1 2]", "(1 2)"), 0);
}

TEST_F(RunStatistics, TypesAndEdges) {
  EXPECT_EQ(score("bernoulli", "0.5", "1.0"), -kInf);
  EXPECT_EQ(score("bernoulli", "0.5", "true"), -kInf);
  EXPECT_EQ(score("flip", "0.5", "1"), -kInf);
  EXPECT_EQ(score("flip", "1.0", "false"), -kInf);
  EXPECT_EQ(score("flip", "1.0", "true"), 0);
  EXPECT_EQ(score("poisson", "0", "0"), 0);
  EXPECT_EQ(score("poisson", "0", "1"), -kInf);
  EXPECT_EQ(score("poisson", "4", "1.5"), -kInf);
  EXPECT_EQ(score("uniform-discrete", "0 4", "4"), -kInf);
  EXPECT_EQ(score("uniform-discrete", "0 4", "1.0"), -kInf);
  EXPECT_EQ(score("uniform-continuous", "0 4", "4"), std::log(0.25));
  EXPECT_EQ(score("discrete", "[1 1]", "2"), -kInf);
  EXPECT_EQ(score("discrete", "[1 0]", "1"), -kInf);
  EXPECT_EQ(score("categorical", "[[1 1]]", "1.0"), -kInf);
  EXPECT_EQ(score("gamma", "0.5 1", "0"), -kInf);
  EXPECT_EQ(score("gamma", "1 2", "0"), std::log(2));
  EXPECT_EQ(score("beta", "0.5 1", "0"), -kInf);
  EXPECT_EQ(score("dirichlet", "[1 1]", "[0.9 0.9]"), -kInf);
  EXPECT_EQ(score("dirichlet", "[1 1]", "[0.5 0.25 0.25]"), -kInf);
  EXPECT_EQ(score("multinomial", "3 [1 1]", "[1 1]"), -kInf);
  EXPECT_EQ(score("wishart", "3 [[1 0] [0 1]]", "[[1 2] [2 1]]"), -kInf);
}

TEST_F(RunStatistics, SpecialCasesAgree) {
  for (const char* x : {"0.1", "0.7", "2.5"}) {
    const std::string one = std::string("[") + x + "]";
    const std::string square = "[" + one + "]";
    EXPECT_NEAR(score("mvn", "[1] [[4]]", one.c_str()), score("normal", "1 2", x), 1e-13);
    EXPECT_NEAR(score("multivariate-t", "3.1 [1] [[4]]", one.c_str()),
                score("student-t-loc-scale", "3.1 1 2", x), 1e-13);
    EXPECT_NEAR(score("wishart", "3 [[2]]", square.c_str()), score("gamma", "1.5 1/4", x), 1e-13);
    EXPECT_NEAR(score("student-t", "1", x), score("cauchy", "0 1", x), 1e-13);
    EXPECT_NEAR(score("weibull", "1 1/2", x), score("exponential", "2", x), 1e-13);
    EXPECT_NEAR(score("folded-normal", "0 2", x), score("half-normal", "2", x), 1e-13);
    EXPECT_NEAR(score("truncated-normal", "0 2 0 ##Inf", x), score("half-normal", "2", x), 1e-13);
  }
  // By the change of variables.
  EXPECT_NEAR(score("inverse-wishart", "3 [[2]]", "[[0.7]]"),
              score("inverse-gamma", "1.5 1", "0.7"), 1e-13);
  EXPECT_NEAR(score("inverse-wishart", "3.5 [[2 0] [0 4]]", "[[0.5 0] [0 2]]"),
              score("wishart", "3.5 [[0.5 0] [0 0.25]]", "[[2 0] [0 0.5]]"), 1e-13);
  EXPECT_NEAR(score("lkj", "2 1.7", "[[1 0.6] [0.6 1]]"),
              score("beta", "1.7 1.7", "0.8") - std::log(2), 1e-13);
  EXPECT_NEAR(score("lkj-cholesky", "2 1.7", "[[1 0] [0.6 0.8]]"),
              score("lkj", "2 1.7", "[[1 0.6] [0.6 1]]"), 1e-13);
  EXPECT_NEAR(score("lkj-cholesky", "3 1.7", "[[1 0 0] [0.6 0.8 0] [0 0.6 0.8]]"),
              score("lkj", "3 1.7", "[[1 0.6 0] [0.6 1 0.48] [0 0.48 1]]") + std::log(0.8), 1e-13);
  // Uniform over the elliptope, whose volume is pi^2 / 2 (Rousseeuw and Molenberghs 1994).
  EXPECT_NEAR(score("lkj", "3 1", "[[1 0 0] [0 1 0] [0 0 1]]"), -std::log(kPi * kPi / 2), 1e-13);
  EXPECT_NEAR(score("categorical-logit", "[0 1.5 -2]", "1"),
              score("discrete", "[1 4.4816890703380648 0.1353352832366127]", "1"), 1e-13);
  EXPECT_NEAR(score("dirichlet", "[2 3]", "[0.3 0.7]"), score("beta", "2 3", "0.3"), 1e-13);
  EXPECT_NEAR(score("multinomial", "9 [1 3]", "[2 7]"), score("binomial", "9 0.25", "2"), 1e-13);
  EXPECT_NEAR(score("dirichlet-multinomial", "9 [1.5 3]", "[2 7]"),
              score("beta-binomial", "9 1.5 3", "2"), 1e-13);
  EXPECT_NEAR(score("negative-binomial", "1 0.3", "5"), score("geometric", "0.3", "5"), 1e-13);
}

// Where the plain formulas lose all digits. RunStatistics worked out with 40 digits.
TEST_F(RunStatistics, LargeParameters) {
  EXPECT_NEAR(score("poisson", "1e12", "1000000000000"), -14.734449091169030, 1e-10);
  EXPECT_NEAR(score("binomial", "1000000000000 0.5", "500000000000"), -14.041301910609252, 1e-10);
  EXPECT_NEAR(score("student-t", "1e15", "1"), score("normal", "0 1", "1"), 1e-10);
}

// Multinomial masses over all count vectors sum to one.
TEST_F(RunStatistics, CountVectorsSumToOne) {
  for (const auto& [name, args] :
       {std::pair{"multinomial", "4 [1 2 3]"}, std::pair{"dirichlet-multinomial", "4 [0.5 2 3]"}}) {
    double sum = 0;
    for (int a = 0; a <= 4; ++a) {
      for (int b = 0; a + b <= 4; ++b) {
        const std::string x = "[" + std::to_string(a) + " " + std::to_string(b) + " " +
                              std::to_string(4 - a - b) + "]";
        sum += std::exp(score(name, args, x.c_str()));
      }
    }
    EXPECT_NEAR(sum, 1, 1e-13) << name;
  }
}

}  // namespace
}  // namespace chancel
