// SPDX-License-Identifier: Apache-2.0
// Distributions made from others, through the rig and against distributions that are known
// otherwise.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "literal.hpp"
#include "rig.hpp"

namespace chancel {
namespace {

class BaseDistribution : public testing::Test {
 protected:
  BaseDistribution() : arena_(heap_) {}
  Value make(const char* name, const char* text, const Value* base = nullptr) {
    std::vector<Value> args = Literal(arena_, text).all();
    if (base) args.insert(args.begin(), *base);
    NativeContext cx(arena_);
    const Value d = find_distribution(name)->construct(cx, args.data(),
                                                       static_cast<std::uint32_t>(args.size()));
    said_ = cx.ok() ? "" : cx.failure.message;
    return d;
  }
  Subject subject(const char* name, const char* args, const char* base, const char* base_args) {
    const Value inner = make(base, base_args);
    const Value d = make(name, args, &inner);
    EXPECT_EQ(said_, "");
    return {*d.as<Dist>()->type, d, {}};
  }
  Heap heap_;
  Arena arena_;
  std::string said_;
};

TEST_F(BaseDistribution, TruncatedDistributionsPassTheRig) {
  struct Row {
    const char* base;
    const char* base_args;
    const char* args;
    bool slow = false;  // to draw from: by a search in the upper tail
  };
  const Row rows[] = {
      {"normal", "0.5 1.25", "-0.4 1.7"}, {"normal", "0 1", "0 ##Inf"},
      {"normal", "0 1", "9 ##Inf"},       {"normal", "0 1", "##-Inf -9"},
      {"gamma", "2 3", "0.5 4"},          {"student-t", "3", "2 5", true},
      {"cauchy", "1 2", "-20 ##Inf"},     {"poisson", "3", "1 ##Inf"},
      {"poisson", "3", "6 20", true},     {"binomial", "10 0.3", "2.5 7.5"},
  };
  for (const Row& row : rows) {
    const Subject s = subject("truncated", row.args, row.base, row.base_args);
    const std::string which = std::string(row.base) + " " + row.args;
    EXPECT_EQ(check_odd_values(s, arena_), "") << which;
    EXPECT_EQ(check_draws_score(s, arena_), "") << which;
    EXPECT_EQ(check_total(s, arena_), "") << which;
    if (!row.slow) {
      EXPECT_EQ(check_draws(s, arena_), "") << which;
    }
  }
}

TEST_F(BaseDistribution, TruncatedNormalsAgree) {
  const Subject s = subject("truncated", "-0.4 1.7", "normal", "0.5 1.25");
  const Value other = make("truncated-normal", "0.5 1.25 -0.4 1.7");
  for (const double x : {-0.5, -0.4, 0.0, 1.0, 1.7, 1.8}) {
    const double expected = log_prob(other, Value::real(x));
    const double got = s.log_prob(Value::real(x));
    EXPECT_TRUE(got == expected || std::fabs(got - expected) < 1e-13) << x;
  }
  double low;
  double high;
  s.type.bounds(s.object(), &low, &high);
  EXPECT_EQ(low, -0.4);
  EXPECT_EQ(high, 1.7);
}

TEST_F(BaseDistribution, CensoredValuesHaveTheProbabilityOfTheirSide) {
  const Subject s = subject("censored", "-1 2", "normal", "0 1");
  EXPECT_EQ(check_odd_values(s, arena_), "");
  EXPECT_NEAR(s.log_prob(Value::real(-1)), std::log(0.15865525393145707), 1e-14);
  EXPECT_NEAR(s.log_prob(Value::real(-5)), std::log(0.15865525393145707), 1e-14);
  EXPECT_NEAR(s.log_prob(Value::integer(2)), std::log(0.022750131948179195), 1e-13);
  EXPECT_NEAR(s.log_prob(Value::real(0.5)), -0.5 * std::log(2 * M_PI) - 0.125, 1e-14);
  // Far beyond where 1 - cdf is zero.
  EXPECT_NEAR(subject("censored", "##-Inf 40", "normal", "0 1").log_prob(Value::real(40)),
              -804.608442013754, 1e-9);
  const Subject counts = subject("censored", "##-Inf 3", "poisson", "2");
  EXPECT_NEAR(counts.log_prob(Value::integer(3)), std::log(1 - 5 * std::exp(-2)), 1e-13);
  Stream stream(StreamName{3}, 0, 0);
  double at_bound = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = to_double(s.draw(stream, arena_));
    EXPECT_TRUE(x >= -1 && x <= 2);
    at_bound += x == -1;
  }
  EXPECT_NEAR(at_bound / 20000, 0.1587, 6.2 * std::sqrt(0.1587 * 0.8413 / 20000));
}

TEST_F(BaseDistribution, OrderedDrawsAreSorted) {
  const Subject s = subject("ordered", "3", "normal", "0 1");
  EXPECT_EQ(check_odd_values(s, arena_), "");
  EXPECT_EQ(check_draws_score(s, arena_), "");
  const auto at = [&](const char* text) { return s.log_prob(Literal(arena_, text).all()[0]); };
  EXPECT_NEAR(at("[-1 0 1]"), std::log(6) - 1.5 * std::log(2 * M_PI) - 1, 1e-14);
  EXPECT_EQ(at("[-1 1 0]"), -INFINITY);
  EXPECT_EQ(at("[-1 1]"), -INFINITY);
}

TEST_F(BaseDistribution, MistakesAreExplained) {
  const Value normal = make("normal", "0 1");
  make("truncated", "2 1", &normal);
  EXPECT_NE(said_.find("lower must be below upper"), std::string::npos) << said_;
  const Value uniform = make("uniform-continuous", "0 1");
  make("truncated", "2 3", &uniform);
  EXPECT_NE(said_.find("some probability between the bounds"), std::string::npos) << said_;
  const Value poisson = make("poisson", "2");
  make("ordered", "3", &poisson);
  EXPECT_NE(said_.find("a continuous distribution of numbers"), std::string::npos) << said_;
  make("ordered", "0", &normal);
  EXPECT_NE(said_.find("between 1 and a million"), std::string::npos) << said_;
}

}  // namespace
}  // namespace chancel
