// SPDX-License-Identifier: Apache-2.0
// Proposals of one draw: what is kept, what is drawn again, and the terms of the acceptance ratio, by hand. What chains
// of them converge to is tested in test/exact.
#include "single_site/trace.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../small_query.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

const char* const kTwoDraws = R"((defquery two []
  (let [a (sample (normal 0 1))
        b (sample (normal a 2))]
    (observe (normal b 1) 1.5)
    (observe (normal a 1) -1)
    (predict :sum (+ a b))
    [a b])))";
// One draw is made by some executions only.
const char* const kSometimes = R"((defquery sometimes []
  (let [more (sample (flip 0.25))
        x (if more (sample (normal 0 1)) 7)
        y (sample (normal 3 1))]
    (observe (normal (+ x y) 1) 2)
    y)))";
const char* const kImpossible = R"((defquery impossible []
  (let [x (sample (normal 0 1))]
    (observe (flip (if (> x 0) 0.5 0)) true)
    x)))";

double log_normal(double x, double mean, double sd) {
  const double z = (x - mean) / sd;
  return -0.5 * z * z - std::log(sd) - 0.5 * std::log(2 * M_PI);
}

class TraceTest : public ::testing::Test {
 protected:
  // The execution of the text with these draws.
  Trace& trace_of(const char* text, const std::vector<Value>& values) {
    trace_.reset();
    workers_.reset();
    query_.emplace(text);
    workers_.emplace(query_->setup(), nullptr, 64 << 20);
    trace_.emplace(*workers_, 0);
    trace_->machine().stream = Stream(StreamName{5}, 0, 0);
    EXPECT_TRUE(trace_->replay(values));
    return *trace_;
  }
  static Value real(double x) { return Value::real(x); }
  static double number(const Value& v) { return v.d; }

 private:
  std::optional<SmallQuery> query_;
  std::optional<WorkerPool> workers_;
  std::optional<Trace> trace_;
};

TEST_F(TraceTest, HoldsTheExecutionWithTheseDraws) {
  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(number(trace.choice(0).value), 0.5);
  EXPECT_EQ(number(trace.choice(1).value), 1);
  EXPECT_NE(trace.choice(0).site, trace.choice(1).site);
  EXPECT_TRUE(trace.observed());
  const double likelihood = log_normal(1.5, 1, 1) + log_normal(-1, 0.5, 1);
  EXPECT_NEAR(trace.log_likelihood(), likelihood, 1e-14);
  double log_joint = NAN;
  ASSERT_TRUE(trace.log_joint(&log_joint));
  EXPECT_NEAR(log_joint, likelihood + log_normal(0.5, 0, 1) + log_normal(1, 0.5, 2), 1e-14);
  EXPECT_EQ(show(trace.result()), "[0.5 1.0]");
  EXPECT_EQ(show(trace.predicts()->value), "1.5");
}

TEST_F(TraceTest, ADrawFromItsPriorLeavesTheKeptOnesInTheRatio) {
  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(0, real(-2), true, &p));
  EXPECT_TRUE(p.possible);
  EXPECT_EQ(p.size, 2u);
  EXPECT_EQ(number(trace.proposed_choice(0).value), -2);
  EXPECT_EQ(number(trace.proposed_choice(1).value), 1);
  EXPECT_NEAR(p.log_likelihood_ratio, log_normal(-1, -2, 1) - log_normal(-1, 0.5, 1), 1e-14);
  EXPECT_NEAR(p.log_kept_ratio, log_normal(1, -2, 2) - log_normal(1, 0.5, 2), 1e-14);
}

TEST_F(TraceTest, AWalkCountsThePriorOfTheChangedDraw) {
  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(1, real(3), false, &p));
  EXPECT_NEAR(p.log_likelihood_ratio, log_normal(1.5, 3, 1) - log_normal(1.5, 1, 1), 1e-14);
  EXPECT_NEAR(p.log_kept_ratio, log_normal(3, 0.5, 2) - log_normal(1, 0.5, 2), 1e-14);
}

TEST_F(TraceTest, RejectedProposalsLeaveNothingAndAcceptedOnesStay) {
  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  const double before = trace.log_likelihood();
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(0, real(-2), true, &p));
  trace.reject();
  EXPECT_EQ(number(trace.choice(0).value), 0.5);
  EXPECT_EQ(trace.log_likelihood(), before);
  EXPECT_EQ(show(trace.result()), "[0.5 1.0]");

  ASSERT_TRUE(trace.propose(0, real(-2), true, &p));
  trace.accept();
  EXPECT_EQ(number(trace.choice(0).value), -2);
  EXPECT_NEAR(trace.log_likelihood(), before + p.log_likelihood_ratio, 1e-14);
  EXPECT_EQ(show(trace.result()), "[-2.0 1.0]");
}

TEST_F(TraceTest, DrawsVanishAndAreMadeWhereTheExecutionGoesAnotherWay) {
  Trace& trace = trace_of(kSometimes, {Value::boolean(true), real(0.5), real(3.5)});
  ASSERT_EQ(trace.size(), 3u);
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(0, Value::boolean(false), true, &p));
  EXPECT_EQ(p.size, 2u);
  EXPECT_EQ(number(trace.proposed_choice(1).value), 3.5);  // it has the address that it had
  EXPECT_NEAR(p.log_likelihood_ratio, log_normal(2, 10.5, 1) - log_normal(2, 4, 1), 1e-13);
  EXPECT_EQ(p.log_kept_ratio, 0);  // y is as likely as before; what has vanished cancels
  trace.accept();

  ASSERT_TRUE(trace.propose(0, Value::boolean(true), true, &p));
  EXPECT_EQ(p.size, 3u);
  const double fresh = number(trace.proposed_choice(1).value);
  EXPECT_EQ(number(trace.proposed_choice(2).value), 3.5);
  EXPECT_NEAR(p.log_likelihood_ratio, log_normal(2, fresh + 3.5, 1) - log_normal(2, 10.5, 1),
              1e-13);
}

TEST_F(TraceTest, AnImpossibleObserveMakesTheProposalImpossible) {
  Trace& trace = trace_of(kImpossible, {real(1)});
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(0, real(-1), true, &p));
  EXPECT_FALSE(p.possible);
  trace.reject();
  ASSERT_TRUE(trace.propose(0, real(2), true, &p));
  EXPECT_TRUE(p.possible);
}

TEST_F(TraceTest, ARecordedTraceProposesTheSame) {
  Trace& plain = trace_of(kTwoDraws, {real(0.5), real(1)});
  plain.record(WhenToRecord::Policy::Never);
  Trace::Proposal by_program;
  ASSERT_TRUE(plain.propose(0, real(-2), true, &by_program));
  EXPECT_FALSE(plain.recorded());
  EXPECT_GT(by_program.applications, 0u);

  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  trace.record(WhenToRecord::Policy::Always);
  Trace::Proposal p;
  ASSERT_TRUE(trace.propose(0, real(-2), true, &p));
  ASSERT_TRUE(trace.recorded());
  EXPECT_EQ(p.log_likelihood_ratio, by_program.log_likelihood_ratio);
  EXPECT_EQ(p.log_kept_ratio, by_program.log_kept_ratio);
  trace.accept();
  EXPECT_EQ(show(trace.result()), "[-2.0 1.0]");
  EXPECT_EQ(show(trace.predicts()->value), "-1.0");
}

TEST_F(TraceTest, AHorizonEndsExecutionsAtAnObserve) {
  Trace& trace = trace_of(kTwoDraws, {real(0.5), real(1)});
  trace.set_horizon(1);
  ASSERT_TRUE(trace.replay({real(0.5), real(1)}));
  EXPECT_NEAR(trace.log_likelihood(), log_normal(1.5, 1, 1), 1e-14);
  EXPECT_FALSE(trace.last().ended());
}

}  // namespace
}  // namespace chancel
