// SPDX-License-Identifier: Apache-2.0
// Processes: what they produce after what they absorbed, exchangeability (the probability of a
// sequence does not depend on its order), and mistakes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "by_value.hpp"
#include "diag/diagnostic.hpp"
#include "dist/distribution.hpp"
#include "literal.hpp"
#include "rig.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

class Processes : public testing::Test {
 protected:
  Processes() : arena_(heap_) {}
  std::vector<Value> values(const char* text) { return Literal(arena_, text).all(); }
  Value value(const char* text) { return values(text)[0]; }
  Value make(const char* name, std::vector<Value> args) {
    for (const NativeDef& def : distribution_natives()) {
      if (std::strcmp(def.name, name) != 0) continue;
      NativeContext cx(arena_);
      const Value v = def.function(cx, args.data(), static_cast<std::uint32_t>(args.size()));
      failure_ = cx.failure.message;
      return cx.ok() ? v : Value::nil();
    }
    ADD_FAILURE() << name;
    return Value::nil();
  }
  Value make(const char* name, const char* args) { return make(name, values(args)); }
  Value produce(const Value& p) {
    NativeContext cx(arena_);
    const Value v = p.as<Process>()->type->produce(cx, p.as<Process>());
    EXPECT_TRUE(cx.ok()) << cx.failure.message;
    return v;
  }
  Value absorb(const Value& p, const Value& x) {
    NativeContext cx(arena_);
    const Value v = p.as<Process>()->type->absorb(cx, p.as<Process>(), x);
    failure_ = cx.failure.message;
    return cx.ok() ? v : Value::nil();
  }
  // log probability of a sequence
  double score(Value p, const std::vector<Value>& xs) {
    double sum = 0;
    for (const Value& x : xs) {
      sum += log_prob(produce(p), x);
      p = absorb(p, x);
    }
    return sum;
  }
  Subject subject(const Value& dist) { return {*dist_type(dist), dist, {}}; }
  Heap heap_;
  Arena arena_;
  std::string failure_;
};

TEST_F(Processes, CrpNumbersTablesInOrder) {
  Value p = make("CRP", "1.5");
  EXPECT_EQ(log_prob(produce(p), value("0")), 0);
  EXPECT_EQ(log_prob(produce(p), value("1")), -kInf);
  p = absorb(p, value("0"));
  p = absorb(p, value("0"));
  p = absorb(p, value("1"));
  const Value d = produce(p);
  EXPECT_NEAR(log_prob(d, value("0")), std::log(2 / 4.5), 1e-15);
  EXPECT_NEAR(log_prob(d, value("1")), std::log(1 / 4.5), 1e-15);
  EXPECT_NEAR(log_prob(d, value("2")), std::log(1.5 / 4.5), 1e-15);
  EXPECT_EQ(log_prob(d, value("3")), -kInf);
  EXPECT_EQ(log_prob(d, value("-1")), -kInf);
  EXPECT_EQ(log_prob(d, value("0.0")), -kInf);
  EXPECT_EQ(show(p), "(CRP 1.5 [2 1])");
}

TEST_F(Processes, CrpTakesCounts) {
  const Value p = make("CRP", "0.1 {1 1, 2 2, 3 3}");
  EXPECT_NEAR(log_prob(produce(p), value("3")), std::log(3 / 6.1), 1e-15);
  EXPECT_NEAR(log_prob(produce(p), value("0")), std::log(0.1 / 6.1), 1e-15);
  const Value q = absorb(p, value("0"));
  EXPECT_NEAR(log_prob(produce(q), value("0")), std::log(1 / 7.1), 1e-15);
  EXPECT_NEAR(log_prob(produce(q), value("4")), std::log(0.1 / 7.1), 1e-15);
  EXPECT_NEAR(log_prob(produce(p), value("0")), std::log(0.1 / 6.1), 1e-15) << "p has changed";
}

TEST_F(Processes, CrpTakesTablesOutOfTurn) {
  const Value p = absorb(absorb(make("CRP", "1"), value("5")), value(":x"));
  EXPECT_NEAR(log_prob(produce(p), value("5")), std::log(1.0 / 3), 1e-15);
  EXPECT_NEAR(log_prob(produce(p), value(":x")), std::log(1.0 / 3), 1e-15);
  EXPECT_NEAR(log_prob(produce(p), value("0")), std::log(1.0 / 3), 1e-15);
  EXPECT_EQ(log_prob(produce(p), value("1")), -kInf);
}

TEST_F(Processes, CrpGrowsPastOneVectorNode) {
  Value p = make("CRP", "2");
  for (int i = 0; i < 100; ++i) p = absorb(p, Value::integer(i));
  for (int i = 0; i < 100; i += 3) p = absorb(p, Value::integer(i));
  const Value d = produce(p);
  EXPECT_EQ(check_total(subject(d), arena_), "");
  EXPECT_EQ(check_draws(subject(d), arena_), "");
  EXPECT_NEAR(log_prob(d, value("99")), std::log(2.0 / 136), 1e-14);
}

TEST_F(Processes, CrpDrawsFollowTheMasses) {
  for (const char* args : {"0.7 [3 1 2]", "0.7 {0 3, :b 1, 2 2.5}"}) {
    const Value d = produce(make("CRP", args));
    EXPECT_EQ(check_total(subject(d), arena_), "");
    EXPECT_EQ(check_draws(subject(d), arena_), "");
  }
}

// Two customers share a table with probability 1/(1 + alpha); in general the probability of a
// partition is alpha^k / alpha^(n) prod (c_i - 1)!, whatever the order.
TEST_F(Processes, CrpIsExchangeable) {
  const Value p = make("CRP", "1.3");
  const double a = 1.3;
  const double expected = std::log(a * a * 2 / (a * (a + 1) * (a + 2) * (a + 3)));  // {3, 1}
  EXPECT_NEAR(score(p, values("0 0 0 1")), expected, 1e-14);
  EXPECT_NEAR(score(p, values("0 0 1 0")), expected, 1e-14);
  EXPECT_NEAR(score(p, values("0 1 0 0")), expected, 1e-14);
  EXPECT_NEAR(score(p, values("0 1 1 1")), expected, 1e-14);
}

TEST_F(Processes, DirichletProcess) {
  const Value base = make("poisson", "3");
  const Value p = make("DP", {value("2"), base});
  const double h4 = log_prob(base, value("4"));
  EXPECT_NEAR(log_prob(produce(p), value("4")), h4, 1e-14);
  const Value q = absorb(absorb(p, value("4")), value("1"));
  EXPECT_NEAR(log_prob(produce(q), value("4")), std::log(0.25 + 0.5 * std::exp(h4)), 1e-14);
  EXPECT_NEAR(log_prob(produce(q), value("2")), std::log(0.5) + log_prob(base, value("2")), 1e-14);
  EXPECT_NEAR(score(p, values("4 1 4")), score(p, values("1 4 4")), 1e-13);
  // With a discrete base the masses sum to one, and draws follow them.
  const Value d = produce(absorb(q, value("4")));
  double sum = 0;
  double worst = 0;
  std::vector<double> seen(60, 0);
  Stream stream(StreamName{19}, 0, 0);
  for (int i = 0; i < 100000; ++i) ++seen[static_cast<std::size_t>(draw(d, stream, arena_).i)];
  for (std::size_t k = 0; k < 60; ++k) {
    const double mass = std::exp(log_prob(d, Value::integer(static_cast<std::int64_t>(k))));
    sum += mass;
    worst =
        std::max(worst, std::fabs(seen[k] - 1e5 * mass) / std::sqrt(1e5 * mass * (1 - mass) + 1));
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_LT(worst, 6.8);  // 60 cells, about 1e-9 together
}

TEST_F(Processes, DirichletProcessWantsADistribution) {
  EXPECT_TRUE(make("DP", "1 2").is_nil());
  EXPECT_EQ(failure_, "DP: H must be a distribution, got the integer 2");
  EXPECT_TRUE(make("DP", {value("0"), make("poisson", "1")}).is_nil());
  EXPECT_EQ(failure_, "DP: alpha must be positive, got 0");
}

TEST_F(Processes, DirichletDiscrete) {
  Value p = make("dirichlet-discrete", "[1 1/2 2]");
  EXPECT_NEAR(log_prob(produce(p), value("1")), std::log(0.5 / 3.5), 1e-15);
  p = absorb(p, value("1"));
  EXPECT_NEAR(log_prob(produce(p), value("1")), std::log(1.5 / 4.5), 1e-15);
  EXPECT_NEAR(score(p, values("0 1 2 1")), score(p, values("1 1 2 0")), 1e-14);
  EXPECT_TRUE(absorb(p, value("3")).is_nil());
  EXPECT_NE(failure_.find("dirichlet-discrete: what is absorbed"), std::string::npos);
  EXPECT_NEAR(log_prob(produce(make("dirichlet-discrete", "(1 3)")), value("1")), std::log(0.75),
              1e-15);
}

TEST_F(Processes, NormalInverseWishartIsExchangeable) {
  const Value p = make("mvn-niw", "[0 1] 2 4 [[2 0.5] [0.5 1]]");
  const double one = score(p, values("[1 2] [0.5 -1] [3 0]"));
  EXPECT_NEAR(score(p, values("[3 0] [1 2] [0.5 -1]")), one, 1e-12);
  EXPECT_NEAR(score(p, values("[0.5 -1] [3 0] [1 2]")), one, 1e-12);
  EXPECT_TRUE(absorb(p, value("[1]")).is_nil());
  EXPECT_TRUE(make("mvn-niw", "[0 1] 2 0.5 [[2 0.5] [0.5 1]]").is_nil());
  EXPECT_EQ(failure_, "mvn-niw: nu must be above the dimension less one, got 0.5");
}

// One dimension by hand: predictive is t with nu degrees of freedom, scale^2 = psi (kappa+1)/(kappa
// nu).
TEST_F(Processes, NormalInverseWishartPredictive) {
  const Value p = make("mvn-niw", "[1] 2 3 [[6]]");
  const Value t = make("student-t-loc-scale", {value("3"), value("1"), Value::real(std::sqrt(3))});
  EXPECT_NEAR(log_prob(produce(p), value("[2]")), log_prob(t, value("2")), 1e-14);
  // After x = 4: kappa 3, nu 4, mu 2, psi 6 + (2/3) 9 = 12; scale^2 = 12 * 4 / (3 * 4) = 4.
  const Value u = make("student-t-loc-scale", "4 2 2");
  EXPECT_NEAR(log_prob(produce(absorb(p, value("[4]"))), value("[2.5]")), log_prob(u, value("2.5")),
              1e-14);
}

}  // namespace
}  // namespace chancel
