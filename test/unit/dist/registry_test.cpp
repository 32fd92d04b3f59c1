// SPDX-License-Identifier: Apache-2.0
// Every distribution through the rig, at valid and invalid parameters. A new distribution that has
// no rows here fails the first test. The saboteurs at the end show that the rig catches what it
// should.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "by_value.hpp"
#include "diag/diagnostic.hpp"
#include "dist/distribution.hpp"
#include "literal.hpp"
#include "rig.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

struct Row {
  const char* name;
  const char* args;
  bool heavy = false;  // tails too heavy for the check of moments by draws
};

const Row kValid[] = {
    {"normal", "0 1"},
    {"normal", "-3 1/3"},
    {"normal", "1e6 1e-3"},
    {"flip", "0.3"},
    {"flip", "1.0"},
    {"flip", "0"},
    {"flip", "1/3"},
    {"bernoulli", "0.7"},
    {"bernoulli-logit", "0.7"},
    {"bernoulli-logit", "-40"},
    {"uniform-continuous", "-1 2"},
    {"uniform", "0 1/2"},
    {"uniform-discrete", "-2 5"},
    {"uniform-discrete", "0 1"},
    {"uniform-discrete", "0 1000"},
    {"discrete", "[1 2 3 0.5]"},
    {"discrete", "(1/3 1/3 1/3)"},
    {"discrete", "[0 1 0 2 0]"},
    {"discrete",
     "[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 "
     "34 "
     "35 36 37 38 39 40]"},
    {"categorical", "[[:a 1] [:b 2] [\"c\" 3.5]]"},
    {"categorical", "{:a 1/3, :b 2/3}"},
    {"categorical", "((1 1) (1.0 1) ([1 2] 2))"},
    {"categorical", "[[:a 1] [:b 2] [:a 3]]"},
    {"categorical", "[[0 1] [1 1] [2 1] [3 1] [4 1] [5 1] [6 1] [7 1] [8 1] [9 1] [3 5]]"},
    {"dirac", "3"},
    {"dirac", "[:a 1]"},
    {"gamma", "2 3"},
    {"gamma", "0.3 0.1"},
    {"gamma", "1 1"},
    {"gamma", "150 2"},
    {"chi-squared", "3.5"},
    {"inverse-gamma", "3 2", true},
    {"inverse-gamma", "0.7 1", true},
    {"beta", "2 3"},
    {"beta", "0.5 0.5"},
    {"beta", "1 1"},
    {"beta", "0.9 4"},
    {"beta", "300 200"},
    {"exponential", "2"},
    {"laplace", "2.1 1.4"},
    {"student-t", "3.1", true},
    {"student-t", "0.8", true},
    {"student-t", "30"},
    {"student-t-loc-scale", "12 10 2"},
    {"half-student-t", "3 2", true},
    {"half-student-t", "0.8 1", true},
    {"half-student-t", "30 0.5", true},
    {"cauchy", "1 2", true},
    {"half-cauchy", "2.5", true},
    {"logistic", "-1 0.5"},
    {"skew-normal", "1 2 0"},
    {"skew-normal", "-1 0.5 3"},
    {"skew-normal", "0 1 -40"},
    {"gumbel", "2 1.5"},
    {"von-mises", "0 0"},
    {"von-mises", "0.5 0.7"},
    {"von-mises", "-3 1"},
    {"von-mises", "9 4"},
    {"von-mises", "1 30"},
    {"von-mises", "3.1 1e5"},
    {"log-normal", "0.5 0.4"},
    {"half-normal", "2"},
    {"folded-normal", "1 2"},
    {"folded-normal", "-3 1"},
    {"folded-normal-positive", "0 1"},
    {"folded-normal-discrete", "2 3"},
    {"truncated-normal", "0 1 -1 2"},
    {"truncated-normal", "0 1 6 ##Inf"},
    {"truncated-normal", "0 1 ##-Inf -9"},
    {"truncated-normal", "5 2 4 4.5"},
    {"truncated-normal", "0 1e13 0 1"},
    {"truncated-normal", "3e13 1e13 -1 1"},
    {"truncated-normal", "0 1 3 3.2"},
    {"truncated-normal", "0 1 0.5 4"},
    {"truncated-normal", "0 1 ##-Inf 1"},
    {"pareto", "2 3", true},
    {"pareto", "1 12"},
    {"weibull", "1.5 2"},
    {"weibull", "0.7 1"},
    {"poisson", "0"},
    {"poisson", "0.1"},
    {"poisson", "4"},
    {"poisson", "10"},
    {"poisson", "37.5"},
    {"poisson", "1000"},
    {"geometric", "0.2"},
    {"geometric", "1"},
    {"natural", ""},
    {"binomial", "0 0.5"},
    {"binomial", "10 0.3"},
    {"binomial", "5 1"},
    {"binomial", "100 0.6"},
    {"binomial", "1000 0.02"},
    {"binomial", "5000 0.4"},
    {"negative-binomial", "3 0.4"},
    {"negative-binomial", "0.5 0.1"},
    {"negative-binomial", "20 0.2"},
    {"binomial-logit", "10 -1"},
    {"binomial-logit", "5000 0.4"},
    {"poisson-log", "1.2"},
    {"poisson-log", "4"},
    {"neg-binomial", "3 0.4"},
    {"neg-binomial", "40 300"},
    {"neg-binomial", "0 2"},
    {"beta-binomial", "10 2 3"},
    {"beta-binomial", "300 0.5 0.7"},
    {"multinomial", "10 [1 2 3]"},
    {"multinomial", "5 [0 2 0 3 0]"},
    {"dirichlet", "[1 2 3]"},
    {"dirichlet", "[0.1 0.2 3]"},
    {"dirichlet-multinomial", "10 [0.5 2 3]"},
    {"mvn", "[0 1] [[2 0.5] [0.5 1]]"},
    {"mvn", "(0 0 0) ((2 0 0) (0 1 0) (0 0 3))"},
    {"multivariate-t", "4.5 [0 1] [[2 0.5] [0.5 1]]"},
    {"wishart", "3.5 [[0.7 0] [0 0.07]]"},
    {"wishart", "7.5 [[3 2] [2 7]]"},
    {"inverse-wishart", "3.5 [[0.7 0] [0 0.07]]"},
    {"inverse-wishart", "7.5 [[3 2] [2 7]]"},
    {"lkj", "1 2"},
    {"lkj", "2 0.5"},
    {"lkj", "4 3"},
    {"lkj-cholesky", "1 2"},
    {"lkj-cholesky", "2 0.5"},
    {"lkj-cholesky", "4 3"},
    {"categorical-logit", "[0.5 -1 2]"},
    {"categorical-logit", "[800]"},
    {"ordered-logistic", "0.4 [-1 0.2 3]"},
    {"ordered-logistic", "9 [-1]"},
    {"ordered-probit", "0.4 [-1 0.2 3]"},
    {"ordered-probit", "-5 [-1 0 1 2]"},
    {"neg-binomial-log", "1.3 2"},
    {"neg-binomial-log", "-3 0.7"},
    {"hypergeometric", "5 7 9"},
    {"hypergeometric", "12 7 9"},
    {"hypergeometric", "0 3 2"},
    {"hypergeometric", "4 4 0"},
    {"hypergeometric", "300 2000 5000"},
    {"categorical-crp", "{} 1"},
    {"categorical-crp", "[3 1 2] 0.7"},
    {"categorical-crp", "{1 1, 2 2, 3 3} 0.1"},
    {"categorical-crp", "{:a 2, 0 1} 1.5"},
};

struct Bad {
  const char* name;
  const char* args;
  Code code;
  const char* message;  // part of it
  int argument;
};

const Bad kInvalid[] = {
    {"normal", "0 -1", Code::D001, "normal: sd must be positive, got -1", 1},
    {"normal", "0 0", Code::D001, "normal: sd must be positive, got 0", 1},
    {"normal", "##NaN 1", Code::D001, "normal: mean must be finite", 0},
    {"normal", "\"a\" 1", Code::D002, "normal: mean must be a number, got the string \"a\"", 0},
    {"flip", "-0.5", Code::D001, "flip: p must be", 0},
    {"flip", "##NaN", Code::D001, "flip: p must be", 0},
    {"flip", "nil", Code::D002, "flip: p must be a number, got nil", 0},
    {"bernoulli", "-1/3", Code::D001, "bernoulli: p must be between 0 and 1, got -1/3", 0},
    {"uniform-continuous", "3 1", Code::D001, "min must be below max, got 3 and 1", 1},
    {"uniform", "1 1", Code::D001, "uniform: min must be below max", 1},
    {"uniform-discrete", "2 2", Code::D001, "min must be below max, got 2 and 2", 1},
    {"uniform-discrete", "0.5 2", Code::D001, "min must be a whole number, got 0.5", 0},
    {"discrete", "[]", Code::D001, "discrete: weights must not be empty", 0},
    {"discrete", "[0 0]", Code::D001, "positive, finite sum", 0},
    {"discrete", "[1 -2]", Code::D001, "weights[1] must be zero or more, got -2", 0},
    {"discrete", "[1 :a]", Code::D002, "weights[1] must be a number", 0},
    {"discrete", "3", Code::D002, "weights must be a sequence of numbers", 0},
    {"categorical", "[]", Code::D001, "pairs must not be empty", 0},
    {"categorical", "[[:a]]", Code::D002, "each item of pairs must be a [value weight] pair", 0},
    {"categorical", "[[:a -1]]", Code::D001, "each weight must be zero or more, got -1", 0},
    {"categorical", "{:a 0}", Code::D001, "positive, finite sum", 0},
    {"categorical", "7", Code::D002, "pairs must be a sequence", 0},
    {"gamma", "0 1", Code::D001, "gamma: shape must be positive, got 0", 0},
    {"gamma", "1 ##Inf", Code::D001, "gamma: rate must be positive", 1},
    {"chi-squared", "-1", Code::D001, "nu must be positive", 0},
    {"inverse-gamma", "1 0", Code::D001, "scale must be positive", 1},
    {"beta", "0 1", Code::D001, "alpha must be positive", 0},
    {"exponential", "0", Code::D001, "rate must be positive", 0},
    {"laplace", "0 -2", Code::D001, "scale must be positive", 1},
    {"student-t", "0", Code::D001, "nu must be positive", 0},
    {"student-t-loc-scale", "3 0 0", Code::D001, "scale must be positive", 2},
    {"half-student-t", "3 0", Code::D001, "scale must be positive", 1},
    {"half-cauchy", "0", Code::D001, "scale must be positive", 0},
    {"logistic", "0 0", Code::D001, "scale must be positive", 1},
    {"skew-normal", "0 0 1", Code::D001, "scale must be positive", 1},
    {"ordered-logistic", "0 [1 1]", Code::D001, "cuts must be increasing", 1},
    {"ordered-logistic", "0 []", Code::D001, "cuts must not be empty", 1},
    {"ordered-probit", "##Inf [1]", Code::D001, "location must be finite", 0},
    {"neg-binomial-log", "40 2", Code::D001, "at most 32", 0},
    {"hypergeometric", "9 3 4", Code::D001, "draws must be at most successes + failures", 0},
    {"hypergeometric", "1 -3 4", Code::D001, "successes must be a whole number", 1},
    {"gumbel", "0 0", Code::D001, "scale must be positive", 1},
    {"von-mises", "0 -1", Code::D001, "concentration must be zero or more, got -1", 1},
    {"bernoulli-logit", "##Inf", Code::D001, "logit must be finite", 0},
    {"binomial-logit", "-1 0", Code::D001, "n must be a whole number, zero or more", 0},
    {"poisson-log", "40", Code::D001, "log-rate must be at most 34.5", 0},
    {"neg-binomial", "-1 2", Code::D001, "mean must be zero or more, got -1", 0},
    {"neg-binomial", "1e14 0.1", Code::D001, "at most 1e14", 0},
    {"cauchy", "0 0", Code::D001, "scale must be positive", 1},
    {"log-normal", "0 0", Code::D001, "sigma must be positive", 1},
    {"half-normal", "0", Code::D001, "sd must be positive", 0},
    {"folded-normal", "0 0", Code::D001, "sd must be positive", 1},
    {"folded-normal-positive", "0 0", Code::D001, "sd must be positive", 1},
    {"folded-normal-discrete", "0 1e20", Code::D001, "exact integers", 0},
    {"truncated-normal", "0 1 2 1", Code::D001, "min must be below max", 3},
    {"pareto", "0 1", Code::D001, "scale must be positive", 0},
    {"weibull", "1 0", Code::D001, "scale must be positive", 1},
    {"poisson", "-1", Code::D001, "lambda must be zero or more, got -1", 0},
    {"poisson", "1e20", Code::D001, "at most 1e15", 0},
    {"geometric", "0", Code::D001, "p must be above 0 and at most 1", 0},
    {"binomial", "2.5 0.5", Code::D001, "n must be a whole number, zero or more, got 2.5", 0},
    {"binomial", "-1 0.5", Code::D001, "n must be a whole number, zero or more, got -1", 0},
    {"negative-binomial", "0 0.5", Code::D001, "r must be positive", 0},
    {"beta-binomial", "1 0 1", Code::D001, "alpha must be positive", 1},
    {"multinomial", "3 [0 0]", Code::D001, "positive, finite sum", 1},
    {"dirichlet", "[1 0]", Code::D001, "alpha[1] must be positive, got 0", 0},
    {"dirichlet-multinomial", "1 [0]", Code::D001, "alpha[0] must be positive", 1},
    {"mvn", "[0 0] [[1 2] [2 1]]", Code::D001, "cov must be positive definite", 1},
    {"mvn", "[0 0] [[1 2] [0 1]]", Code::D001, "cov must be symmetric", 1},
    {"mvn", "[0 0] [[1 0] [1]]", Code::D001, "rows of equal length", 1},
    {"mvn", "[0] [[1 0] [0 1]]", Code::D001, "as many rows as mean", 1},
    {"multivariate-t", "0 [0] [[1]]", Code::D001, "nu must be positive", 0},
    {"wishart", "0.5 [[1 0] [0 1]]", Code::D001, "n must be above", 0},
    {"wishart", "3 [[0]]", Code::D001, "V must be positive definite", 1},
    {"inverse-wishart", "0.5 [[1 0] [0 1]]", Code::D001, "n must be above", 0},
    {"inverse-wishart", "3 [[0]]", Code::D001, "V must be positive definite", 1},
    {"lkj", "0 1", Code::D001, "n must be between 1 and 1000, got 0", 0},
    {"lkj", "2 0", Code::D001, "eta must be positive", 1},
    {"lkj-cholesky", "2.5 1", Code::D001, "n must be a whole number", 0},
    {"categorical-logit", "[]", Code::D001, "logits must not be empty", 0},
    {"categorical-logit", "[##Inf]", Code::D001, "logits[0] must be finite", 0},
    {"categorical-crp", "[1] 0", Code::D001, "alpha must be positive", 1},
    {"categorical-crp", "[0] 1", Code::D001, "each count must be positive", 0},
    {"categorical-crp", "3 1", Code::D002, "counts must be a map", 0},
    {"truncated", "3 0 1", Code::D002, "dist must be a distribution of numbers", 0},
    {"censored", "3 0 1", Code::D002, "dist must be a distribution of numbers", 0},
    {"ordered", "3 2", Code::D002, "dist must be a continuous distribution", 0},
    {"categorical-dp", "{} 3 1", Code::D002, "H must be a distribution, got the integer 3", 1},
};

class Bench {
 public:
  Bench() : arena_(heap_) {}
  Arena& arena() { return arena_; }
  Subject make(const char* name, const char* args) {
    const DistType* type = find_distribution(name);
    EXPECT_NE(type, nullptr) << name;
    Subject s{*type, Value::nil(), Literal(arena_, args).all()};
    NativeContext cx(arena_);
    s.dist = type->construct(cx, s.args.data(), static_cast<std::uint32_t>(s.args.size()));
    EXPECT_TRUE(cx.ok()) << name << " " << args << ": " << cx.failure.message;
    return s;
  }

 private:
  Heap heap_;
  Arena arena_;
};

std::string label(const Row& row) { return std::string("(") + row.name + " " + row.args + ")"; }

TEST(Registry, EveryDistributionHasRows) {
  std::set<std::string> valid;
  std::set<std::string> invalid;
  for (const Row& row : kValid) valid.insert(row.name);
  for (const Bad& row : kInvalid) invalid.insert(row.name);
  for (const DistType* type : all_distributions()) {
    // Some have a distribution as a parameter: process_test.cpp and base_distribution_test.cpp; dirac takes
    // anything.
    // Nothing can be drawn from improper distributions: test/lang/distributions/improper.clj.
    if (type->improper) continue;
    static const std::set<std::string> kOfDistributions = {"categorical-dp", "truncated",
                                                           "censored", "ordered"};
    if (kOfDistributions.count(type->name) == 0) {
      EXPECT_TRUE(valid.count(type->name)) << type->name;
    }
    if (std::strcmp(type->name, "dirac") != 0 && type->parameter_count > 0) {
      EXPECT_TRUE(invalid.count(type->name)) << type->name;
    }
  }
}

TEST(Registry, NativesMatchTheTypes) {
  const auto natives = distribution_natives();
  ASSERT_EQ(natives.size(), all_distributions().size() + all_processes().size());
  std::set<std::string> names;
  for (const NativeDef& def : natives) {
    EXPECT_TRUE(names.insert(def.name).second) << def.name;
    EXPECT_TRUE(def.flags & kPure);
    EXPECT_GT(std::strlen(def.doc), 5u);
    EXPECT_GE(def.max_args, def.min_args);
    if (def.dist) {
      EXPECT_EQ(def.function, def.dist->construct);
    }
  }
  for (const NativeDef& def : natives) {
    if (std::strcmp(def.name, "CRP") == 0) {
      EXPECT_STREQ(def.signature, "[alpha] [alpha counts]");
      EXPECT_EQ(def.min_args, 1);
      EXPECT_EQ(def.max_args, 2);
    }
  }
}

TEST(Registry, ParametersAreKeptAsGiven) {
  Bench bench;
  const Subject s = bench.make("normal", "1/3 2");
  EXPECT_TRUE(s.object()->values[0].is(Tag::Ratio));
  EXPECT_STREQ(s.type.parameter_names[1], "sd");
  EXPECT_EQ(dist_type(s.dist), find_distribution("normal"));
  EXPECT_EQ(dist_type(Value::integer(1)), nullptr);
}

TEST(Registry, PrintsAsItsConstructor) {
  Bench bench;
  EXPECT_EQ(show(bench.make("normal", "1/3 2.5").dist), "(normal 1/3 2.5)");
  EXPECT_EQ(show(bench.make("categorical", "[[:a 1] [:b 2]]").dist),
            "(categorical [[:a 1] [:b 2]])");
  EXPECT_EQ(show(bench.make("categorical-crp", "[2 1] 0.5").dist), "(categorical-crp [2 1] 0.5)");
}

// Everything a distribution holds, cached numbers included, moves with it.
TEST(Registry, ObjectsSurviveACollection) {
  Heap heap;
  Arena arena(heap);
  std::vector<Value> dists;
  std::vector<double> before;
  std::vector<Value> xs =
      Literal(arena, "0 1 0.5 true :a [0.5 0.5] [1 2] [10 0 0] [0.2 0.3 0.5]").all();
  const auto score_all = [&](std::vector<double>* out) {
    for (const Value& d : dists) {
      for (const Value& x : xs) out->push_back(log_prob(d, x));
    }
  };
  for (const Row& row : kValid) {
    NativeContext cx(arena);
    const std::vector<Value> args = Literal(arena, row.args).all();
    dists.push_back(find_distribution(row.name)->construct(
        cx, args.data(), static_cast<std::uint32_t>(args.size())));
  }
  score_all(&before);
  heap.collect({&arena}, [&](Evacuator& e) {
    for (Value& d : dists) e.visit(d);
    for (Value& x : xs) e.visit(x);
  });
  std::vector<double> after;
  score_all(&after);
  EXPECT_EQ(before, after);
}

// A lazy argument is asked for, not refused.
TEST(Registry, LazyArgumentsAreAskedFor) {
  Bench bench;
  auto* lazy = bench.arena().make<LazySeq>(Tag::LazySeq);
  lazy->state = 0;
  lazy->id = 0;
  lazy->value = Value::nil();
  const Value arg = Value::object(lazy);
  for (const char* name : {"discrete", "categorical", "dirichlet"}) {
    NativeContext cx(bench.arena());
    find_distribution(name)->construct(cx, &arg, 1);
    EXPECT_TRUE(cx.status == NativeContext::Status::NeedAll ||
                cx.status == NativeContext::Status::NeedOne)
        << name;
  }
  Stream stream(StreamName{1}, 0, 0);
  Value out;
  EXPECT_FALSE(find_distribution("discrete")->sample_direct(&arg, 1, stream, &out));
  EXPECT_EQ(log_prob(bench.make("dirichlet", "[1 1]").dist, arg),
            -std::numeric_limits<double>::infinity());
}

TEST(Registry, InvalidParametersAreExplained) {
  Bench bench;
  for (const Bad& row : kInvalid) {
    const DistType* type = find_distribution(row.name);
    ASSERT_NE(type, nullptr) << row.name;
    const std::vector<Value> args = Literal(bench.arena(), row.args).all();
    NativeContext cx(bench.arena());
    const auto count = static_cast<std::uint32_t>(args.size());
    const Value v = type->construct(cx, args.data(), count);
    EXPECT_TRUE(v.is_nil());
    ASSERT_EQ(cx.status, NativeContext::Status::Failed) << row.name << " " << row.args;
    EXPECT_EQ(cx.failure.code, row.code) << row.name << " " << row.args << cx.failure.message;
    EXPECT_NE(cx.failure.message.find(row.message), std::string::npos) << cx.failure.message;
    EXPECT_EQ(cx.failure.argument, row.argument) << cx.failure.message;
    Stream stream(StreamName{1}, 0, 0);
    Value out;
    if (type->sample_direct) {
      EXPECT_FALSE(type->sample_direct(args.data(), count, stream, &out)) << row.name << row.args;
    }
  }
}

class EveryRow : public testing::TestWithParam<Row> {
 protected:
  Bench bench_;
  Subject subject() { return bench_.make(GetParam().name, GetParam().args); }
};

TEST_P(EveryRow, OddValues) { EXPECT_EQ(check_odd_values(subject(), bench_.arena()), ""); }
TEST_P(EveryRow, DrawsScore) { EXPECT_EQ(check_draws_score(subject(), bench_.arena()), ""); }
TEST_P(EveryRow, Total) { EXPECT_EQ(check_total(subject(), bench_.arena()), ""); }
TEST_P(EveryRow, Draws) { EXPECT_EQ(check_draws(subject(), bench_.arena()), ""); }
TEST_P(EveryRow, Moments) {
  if (!GetParam().heavy) {
    EXPECT_EQ(check_moments(subject(), bench_.arena()), "");
  }
}
TEST_P(EveryRow, Quantile) { EXPECT_EQ(check_quantile(subject()), ""); }
TEST_P(EveryRow, Direct) { EXPECT_EQ(check_direct(subject(), bench_.arena()), ""); }

INSTANTIATE_TEST_SUITE_P(Dist, EveryRow, testing::ValuesIn(kValid),
                         [](const testing::TestParamInfo<Row>& info) {
                           std::string name = std::to_string(info.index) + "_" + label(info.param);
                           std::string clean;
                           for (char c : name)
                             clean += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return clean.substr(0, 60);
                         });

// --- saboteurs: one function replaced by a wrong one ---

TEST(Saboteur, WrongNormalSampler) {
  Bench bench;
  Subject s = bench.make("normal", "0 1");
  s.type.sample = [](NativeContext&, const Dist*, Stream& stream) {
    return Value::real(1.03 * stream.normal());  // 3 % too wide
  };
  EXPECT_NE(check_draws(s, bench.arena()), "");
  EXPECT_NE(check_moments(s, bench.arena()), "");
}

TEST(Saboteur, VarianceForStandardDeviation) {
  Bench bench;
  Subject s = bench.make("normal", "0 2");
  s.type.log_prob = [](NativeContext&, const Dist*, const Value& x) {
    return x.is_number()
               ? -0.5 * std::log(2 * std::acos(-1.0) * 2) - to_double(x) * to_double(x) / 4
               : -std::numeric_limits<double>::infinity();
  };
  EXPECT_NE(check_total(s, bench.arena()), "");
}

TEST(Saboteur, ScaleForRate) {
  Bench bench;
  Subject s = bench.make("gamma", "2 3");
  const Subject wrong = bench.make("gamma", "2 1/3");
  s.dist = wrong.dist;  // object and arguments now disagree
  EXPECT_NE(check_direct(s, bench.arena()), "");
}

TEST(Saboteur, CountsOffByOne) {
  Bench bench;
  Subject s = bench.make("poisson", "4");
  s.type.sample = [](NativeContext& cx, const Dist* d, Stream& stream) {
    const Value k = d->type->sample(cx, d, stream);
    return Value::integer(stream.uniform() < 0.08 ? k.i + 1 : k.i);  // 8 % of draws one too high
  };
  EXPECT_NE(check_draws(s, bench.arena()), "");
}

TEST(Saboteur, MassThatDoesNotSumToOne) {
  Bench bench;
  Subject s = bench.make("categorical", "[[:a 1] [:b 2] [:c 3]]");
  s.type.log_prob = [](NativeContext& cx, const Dist* d, const Value& x) {
    return d->type->log_prob(cx, d, x) + 1e-6;
  };
  EXPECT_NE(check_total(s, bench.arena()), "");
}

TEST(Saboteur, ChoiceIgnoresOneWeight) {
  Bench bench;
  Subject s = bench.make("categorical", "[[:a 1] [:b 2] [:c 3]]");
  s.type.sample = [](NativeContext&, const Dist* d, Stream& stream) {
    return (d->values + 1)[stream.below(3)];
  };
  EXPECT_NE(check_draws(s, bench.arena()), "");
}

TEST(Saboteur, NanScore) {
  Bench bench;
  Subject s = bench.make("normal", "0 1");
  s.type.log_prob = [](NativeContext&, const Dist*, const Value& x) {
    return x.is(Tag::Double) ? std::log(x.d) : 0;
  };
  EXPECT_NE(check_odd_values(s, bench.arena()), "");
}

TEST(Saboteur, QuantileOfTheWrongTail) {
  Bench bench;
  Subject s = bench.make("exponential", "2");
  s.type.quantile = [](const Dist*, double p) { return -std::log(p) / 2; };
  EXPECT_NE(check_quantile(s), "");
}

}  // namespace
}  // namespace chancel
