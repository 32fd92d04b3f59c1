// SPDX-License-Identifier: Apache-2.0
// Distributions whose parameters are draws that were put off: marginal scores, and the posterior that is then drawn
// from, against closed forms. Whole programs are in test/delay.
#include "delaying.hpp"

namespace chancel {
namespace {

using Status = NativeContext::Status;

class DelayedDistributions : public DelayTest {
 protected:
  static double log_normal(double x, double mean, double variance) {
    return -0.5 * std::log(2 * M_PI * variance) - (x - mean) * (x - mean) / (2 * variance);
  }
  // The probability of the value under what is wanted.
  double chance(const Dist* d, const Value& x) { return std::exp(d->type->log_prob(cx, d, x)); }
};

TEST_F(DelayedDistributions, FlipsUpdateABeta) {
  const Value p = put_off(dist("beta", {real(2), real(3)}));
  const Value flip = dist("flip", {p});
  EXPECT_NEAR(observe(flip, Value::boolean(true)), std::log(2.0 / 5), 1e-14);
  EXPECT_NEAR(observe(flip, Value::boolean(true)), std::log(3.0 / 6), 1e-14);
  EXPECT_NEAR(observe(flip, Value::boolean(false)), std::log(3.0 / 7), 1e-14);
  const Dist* const d = wanted_for(p);
  EXPECT_STREQ(d->type->name, "beta");
  EXPECT_EQ(parameter(d, 0), 4);
  EXPECT_EQ(parameter(d, 1), 4);
}

TEST_F(DelayedDistributions, CountsUpdateAGammaThroughItsFactor) {
  const Value rate = put_off(dist("gamma", {real(3), real(2)}));
  const Value poisson = dist("poisson", {draws.combine(cx, '*', real(5), rate)});
  // Negative binomial: C(6, 4) (2/7)^3 (5/7)^4.
  EXPECT_NEAR(observe(poisson, Value::integer(4)),
              std::log(15 * std::pow(2.0 / 7, 3) * std::pow(5.0 / 7, 4)), 1e-13);
  const Dist* const d = wanted_for(rate);
  EXPECT_STREQ(d->type->name, "gamma");
  EXPECT_EQ(parameter(d, 0), 7);
  EXPECT_EQ(parameter(d, 1), 7);
}

TEST_F(DelayedDistributions, NormalDrawsAreConditionedOnTheirSums) {
  const Value mean = put_off(dist("normal", {real(1), real(2)}));
  const Value shifted = draws.combine(cx, '+', mean, real(1));
  const Value noisy = dist("normal", {shifted, real(1)});
  EXPECT_NEAR(observe(noisy, real(4)), log_normal(4, 2, 5), 1e-13);
  // Precision 1/4 + 1; mean (1/4 * 1 + 1 * 3) / (5/4).
  const Dist* const d = wanted_for(mean);
  EXPECT_STREQ(d->type->name, "normal");
  EXPECT_NEAR(parameter(d, 0), 2.6, 1e-13);
  EXPECT_NEAR(parameter(d, 1), std::sqrt(0.8), 1e-13);
}

TEST_F(DelayedDistributions, WeightsOfADirichletAreCounted) {
  const Value weights = put_off(dist("dirichlet", {vector({real(1), real(2), real(3)})}));
  ASSERT_TRUE(weights.is(Tag::Vector));
  const Value discrete = dist("discrete", {weights});
  EXPECT_NEAR(observe(discrete, Value::integer(2)), std::log(3.0 / 6), 1e-14);
  EXPECT_NEAR(observe(discrete, Value::integer(2)), std::log(4.0 / 7), 1e-14);
  EXPECT_EQ(observe(discrete, Value::integer(3)), -INFINITY);
  const Dist* const d = wanted_for(weights);
  EXPECT_STREQ(d->type->name, "dirichlet");
  const auto* const alpha = d->values[0].as<Vector>();
  ASSERT_EQ(alpha->count, 3u);
  EXPECT_EQ(to_double(vector_nth(alpha, 2)), 5);
}

TEST_F(DelayedDistributions, AFiniteDrawChoosesAmongDistributions) {
  const Value k = put_off(dist("discrete", {vector({real(1), real(2), real(1)})}));
  const Value table = dist("normal", {k, real(1)});
  ASSERT_TRUE(table.is(Tag::Node));
  const double low = 0.25 * std::exp(log_normal(1.5, 0, 1));
  const double middle = 0.5 * std::exp(log_normal(1.5, 1, 1));
  const double high = 0.25 * std::exp(log_normal(1.5, 2, 1));
  EXPECT_NEAR(observe(table, real(1.5)), std::log(low + middle + high), 1e-13);
  const Dist* const d = wanted_for(k);
  EXPECT_NEAR(chance(d, Value::integer(1)), middle / (low + middle + high), 1e-13);
  EXPECT_NEAR(chance(d, Value::integer(2)), high / (low + middle + high), 1e-13);
}

TEST_F(DelayedDistributions, ADrawFromAConjugateDistributionWaitsWithItsParent) {
  const Value p = put_off(dist("beta", {real(1), real(3)}));
  const Value coin = put_off(dist("flip", {p}));
  ASSERT_TRUE(coin.is(Tag::Node));
  EXPECT_NEAR(chance(wanted_for(coin), Value::boolean(true)), 0.25, 1e-14);
  answer(Value::boolean(true));
  const Dist* const d = wanted_for(p);  // it has learnt from its child
  EXPECT_EQ(parameter(d, 0), 2);
  EXPECT_EQ(parameter(d, 1), 3);
}

TEST_F(DelayedDistributions, WithoutARuleTheParameterIsDrawn) {
  const Value mean = put_off(dist("normal", {real(4), real(1)}), 8);
  dist("poisson", {mean});
  EXPECT_EQ(cx.status, Status::NeedDraw);
  EXPECT_EQ(draws.wanted().site, 8u);
  answer(real(4.5));
  const Value poisson = dist("poisson", {mean});
  ASSERT_TRUE(poisson.is(Tag::Dist));
  EXPECT_EQ(parameter(poisson.as<Dist>(), 0), 4.5);
}

TEST_F(DelayedDistributions, ImpossibleObservesLeaveTheParentAlone) {
  const Value p = put_off(dist("beta", {real(2), real(3)}));
  EXPECT_EQ(observe(dist("binomial", {Value::integer(2), p}), Value::integer(3)), -INFINITY);
  const Dist* const d = wanted_for(p);
  EXPECT_EQ(parameter(d, 0), 2);
  EXPECT_EQ(parameter(d, 1), 3);
}

}  // namespace
}  // namespace chancel
