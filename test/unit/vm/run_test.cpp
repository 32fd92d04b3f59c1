// SPDX-License-Identifier: Apache-2.0
// The run loop on code made by hand: fast paths, calls, checkpoints, forks and failures.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../hand_made_code.hpp"
#include "dist/distribution.hpp"
#include "value/print.hpp"

namespace chancel {
namespace {

int slow_calls = 0;
// What a fast path leaves to the library: its first argument; a keyword fails.
Value slow(NativeContext& cx, const Value* args, std::uint32_t) {
  ++slow_calls;
  if (args[0].is(Tag::Keyword)) return cx.fail(Code::R001, "slow: expected a number", 0);
  return args[0];
}
const NativeDef kSlow{"slow", 1, 2, slow, 0, "[x y]", "For tests."};

class RunTest : public HandMadeCode {
 protected:
  Value normal(double mean, double sd) {
    const Value args[] = {Value::real(mean), Value::real(sd)};
    return find_distribution("normal")->construct(machine.context(), args, 2);
  }
  static double log_normal(double z) { return -0.5 * z * z - 0.5 * std::log(2 * M_PI); }
};

TEST_F(RunTest, ArithmeticIsDoneHereForNumbersOfOneKind) {
  const Value add = closure(
      function(2, 2, {{Op::Add, 0, 0, 1}, make_pointer_word(&kSlow, 2), {Op::Return, 0, 0, 0}}));
  slow_calls = 0;
  EXPECT_EQ(show(call(add, {Value::integer(2), Value::integer(3)})), "5");
  EXPECT_EQ(show(call(add, {Value::real(0.5), Value::real(0.25)})), "0.75");
  EXPECT_EQ(slow_calls, 0);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(call(add, {Value::integer(kMost), Value::integer(1)}).i, kMost);  // no overflow: slow
  EXPECT_EQ(slow_calls, 1);
  call(add, {Value::nil(), Value::integer(1)});
  EXPECT_EQ(slow_calls, 2);
}

TEST_F(RunTest, LoopsJumpBackUntilTheirTestFails) {
  // The sum of the integers below the parameter.
  const Value sum = closure(function(1, 3,
                                     {wide(Op::LoadInt, 1, 0),      // 0
                                      wide(Op::LoadInt, 2, 0),      // 1
                                      {Op::JumpUnlessLt, 1, 0, 5},  // 2: to 8
                                      {Op::Add, 2, 2, 1},           // 3
                                      make_pointer_word(&kSlow, 3),
                                      {Op::AddInt, 1, 1, 1},  // 5
                                      make_pointer_word(&kSlow, 3),
                                      wide(Op::LoopJump, 3, -6),  // 7: to 2
                                      {Op::Return, 2, 0, 0}}));   // 8
  EXPECT_EQ(call(sum, {Value::integer(0)}).i, 0);
  EXPECT_EQ(call(sum, {Value::integer(10)}).i, 45);
  EXPECT_EQ(call(sum, {Value::integer(100'000)}).i, 4'999'950'000);  // past many safe points
}

TEST_F(RunTest, ACallHasRegistersOfItsOwnAndWhatWasCaptured) {
  // inner: x plus what was captured.
  const FunctionProto* const inner = function(1, 2,
                                              {wide(Op::LoadCaptured, 1, 0),
                                               {Op::Add, 0, 0, 1},
                                               make_pointer_word(&kSlow, 2),
                                               {Op::Return, 0, 0, 0}},
                                              {{true, 0}});
  // outer: f(x) + x.
  const Value outer = closure(function(2, 5,
                                       {{Op::Move, 3, 0, 0},
                                        {Op::Move, 4, 1, 0},
                                        {Op::Call, 2, 3, 1},
                                        {Op::Add, 2, 2, 1},
                                        make_pointer_word(&kSlow, 5),
                                        {Op::Return, 2, 0, 0}}));
  EXPECT_EQ(call(outer, {closure(inner, {Value::integer(100)}), Value::integer(7)}).i, 114);
}

TEST_F(RunTest, TailCallsNeedNoStack) {
  chancel::Run run;
  run.limits->max_depth = 10;  // of what the working stack does not hold
  machine.set_run(&run);
  const Value args[] = {Value::integer(1'000'000)};
  Value out = Value::nil();
  const Value tail = closure(function(1, 4, countdown(Op::TailCall, &kSlow)));
  ASSERT_TRUE(machine.call(tail, args, 1, &out));
  EXPECT_EQ(out.i, 0);
  const Value nested = closure(function(1, 4, countdown(Op::Call, &kSlow)));
  EXPECT_FALSE(machine.call(nested, args, 1, &out));
  EXPECT_EQ(machine.failure().code, Code::L003);
  machine.set_run(nullptr);
}

TEST_F(RunTest, ASampleWaitsForAnAnswerAndCanBeForked) {
  const std::uint32_t site = program.add_site(SiteKind::Sample, {}, nullptr);
  // x + (sample d), with the name :here.
  const Value f = closure(function(3, 4,
                                   {{Op::Sample, 3, 1, 0},
                                    make_site_word({site, 3, 3}),
                                    {Op::Add, 3, 0, 3},
                                    make_pointer_word(&kSlow, 4),
                                    {Op::Return, 3, 0, 0}}));
  const Value d = normal(1, 2);
  const Value args[] = {Value::real(10), d, Value::keyword(intern("here"))};
  machine.wants = {true, true};
  Execution x = machine.start(f, args, 3);
  const Checkpoint stop = machine.resume(x, Value::nil());
  ASSERT_EQ(stop.kind, Stop::Sample);
  EXPECT_EQ(stop.site, site);
  EXPECT_EQ(stop.dist.o, d.o);
  EXPECT_EQ(show(stop.id), ":here");
  EXPECT_FALSE(x.ended());

  Execution fork = x;
  const Checkpoint end = machine.resume(x, Value::real(0.5));
  ASSERT_EQ(end.kind, Stop::Result);
  EXPECT_EQ(end.value.d, 10.5);
  EXPECT_TRUE(x.ended());
  const Checkpoint other = machine.resume(fork, Value::real(-3));
  ASSERT_EQ(other.kind, Stop::Result);
  EXPECT_EQ(other.value.d, 7);
}

TEST_F(RunTest, ObservesAreScoredHereOrAtTheEngine) {
  const std::uint32_t site = program.add_site(SiteKind::Observe, {}, nullptr);
  // Observes a value twice and returns it.
  const Value f = closure(function(2, 3,
                                   {{Op::Observe, 2, 0, 1},
                                    make_site_word({site, 2, 0}),
                                    {Op::Observe, 2, 0, 1},
                                    make_site_word({site, 2, 0}),
                                    {Op::Return, 1, 0, 0}}));
  const Value args[] = {normal(1, 2), Value::real(4)};
  const double score = log_normal(1.5) - std::log(2.0);
  machine.wants = {true, false};
  Execution x = machine.start(f, args, 2);
  EXPECT_EQ(machine.resume(x, Value::nil()).kind, Stop::Result);
  EXPECT_NEAR(machine.log_weight, 2 * score, 1e-14);
  EXPECT_TRUE(machine.observed);

  machine.wants = {true, true};
  Execution y = machine.start(f, args, 2);
  Checkpoint stop = machine.resume(y, Value::nil());
  ASSERT_EQ(stop.kind, Stop::Observe);
  EXPECT_EQ(stop.site, site);
  EXPECT_NEAR(stop.log_prob, score, 1e-14);
  ASSERT_EQ(machine.resume(y, Value::nil()).kind, Stop::Observe);
  stop = machine.resume(y, Value::nil());
  ASSERT_EQ(stop.kind, Stop::Result);
  EXPECT_EQ(stop.value.d, 4);

  machine.wants = {true, false};
  const Value impossible[] = {normal(1, 2), Value::keyword(intern("no-number"))};
  Execution z = machine.start(f, impossible, 2);
  EXPECT_EQ(machine.resume(z, Value::nil()).kind, Stop::Impossible);
}

TEST_F(RunTest, SamplesThatAreNotAskedForComeFromThePrior) {
  const std::uint32_t site = program.add_site(SiteKind::Sample, {}, nullptr);
  const Value f = closure(
      function(1, 2, {{Op::Sample, 1, 0, 0}, make_site_word({site, 1, 0}), {Op::Return, 1, 0, 0}}));
  const Value args[] = {normal(1, 2)};
  machine.wants = {false, true};
  machine.stream = Stream(StreamName{3}, 0, 0);
  Execution x = machine.start(f, args, 1);
  const Checkpoint end = machine.resume(x, Value::nil());
  ASSERT_EQ(end.kind, Stop::Result);
  Stream same(StreamName{3}, 0, 0);
  const Dist* const d = args[0].as<Dist>();
  EXPECT_EQ(end.value.d, d->type->sample(machine.context(), d, same).d);
}

TEST_F(RunTest, AFailureStandsAtItsInstruction) {
  const Value add = closure(function(2, 3,
                                     {wide(Op::LoadNil, 2, 0),
                                      {Op::Add, 2, 0, 1},
                                      make_pointer_word(&kSlow, 3),
                                      {Op::Return, 2, 0, 0}}));
  const Value args[] = {Value::keyword(intern("a")), Value::integer(1)};
  Execution x = machine.start(add, args, 2);
  EXPECT_EQ(machine.resume(x, Value::nil()).kind, Stop::Failed);
  EXPECT_EQ(machine.failure().code, Code::R001);
  EXPECT_EQ(machine.failure().message, "slow: expected a number");
  EXPECT_EQ(machine.failure().span.begin, 10u);  // of the second instruction
}

TEST_F(RunTest, TheNumberOfArgumentsMustFit) {
  const Value one = closure(function(1, 1, {{Op::Return, 0, 0, 0}}));
  const Value args[] = {Value::integer(1), Value::integer(2)};
  Value out = Value::nil();
  EXPECT_TRUE(machine.call(one, args, 1, &out));
  EXPECT_FALSE(machine.call(one, args, 2, &out));
  EXPECT_EQ(machine.failure().code, Code::R002);
}

}  // namespace
}  // namespace chancel
