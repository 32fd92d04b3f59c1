// SPDX-License-Identifier: Apache-2.0
// What a walk shows to its source and its observer, and where it begins and ends.
#include "infer/walker.hpp"

#include <gtest/gtest.h>

#include "scripted_machine.hpp"

namespace chancel {
namespace {

// Draws at sites 1 and 3, observes at 2 and 4, and a result.
class WalkerTest : public ::testing::Test {
 protected:
  WalkerTest()
      : machine_(heap_,
                 {sample_at(1), observe_at(2, -1), sample_at(3), observe_at(4, -2), result_of(9)}),
        walker_(machine_) {}
  auto source() {
    return [this](Walker& w, Value* value) {
      seen_.push_back(w.stop.site);
      *value = Value::real(w.stop.site * 10.0);
      return w.stop.site != leaves_at_;
    };
  }
  auto observer() {
    return [this](Walker& w) {
      seen_.push_back(w.stop.site);
      return w.stop.site != leaves_at_;
    };
  }
  std::vector<double> answers() {
    std::vector<double> out;
    for (const Value& v : machine_.answers) out.push_back(v.is_nil() ? 0 : v.d);
    return out;
  }

  Heap heap_;
  ScriptedMachine machine_;
  Walker walker_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t leaves_at_ = 0;
};
using Sites = std::vector<std::uint32_t>;
using Answers = std::vector<double>;

TEST_F(WalkerTest, ShowsDrawsToTheSourceAndObservesToTheObserver) {
  walker_.begin(Execution{});
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Result);
  EXPECT_EQ(seen_, (Sites{1, 2, 3, 4}));
  EXPECT_EQ(answers(), (Answers{0, 10, 0, 30, 0}));
  EXPECT_DOUBLE_EQ(walker_.stop.value.d, 9);
  EXPECT_EQ(walker_.at.applications, 5u);
}

TEST_F(WalkerTest, ContinuesWhereItWasLeft) {
  walker_.begin(Execution{});
  leaves_at_ = 3;
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Sample);
  EXPECT_EQ(walker_.stop.site, 3u);
  leaves_at_ = 4;
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Observe);
  leaves_at_ = 0;
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Result);
  EXPECT_EQ(seen_, (Sites{1, 2, 3, 3, 4, 4}));  // what it was left at is shown again
  EXPECT_EQ(answers(), (Answers{0, 10, 0, 30, 0}));
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Result);  // it has ended
  EXPECT_EQ(machine_.answers.size(), 5u);
}

TEST_F(WalkerTest, BeginsAtADrawThatHasItsValue) {
  walker_.begin(Execution{}, Value::real(7));
  EXPECT_EQ(walker_.run(leave, leave), Stop::Sample);
  EXPECT_EQ(answers(), (Answers{7}));
}

TEST_F(WalkerTest, BeginsAtADrawThatTheSourceAnswers) {
  walker_.begin_at_draw(Execution{}, Value::integer(8), 5);
  leaves_at_ = 1;
  walker_.run(source(), observer());
  EXPECT_EQ(seen_, (Sites{5, 1}));
  EXPECT_EQ(answers(), (Answers{50}));
}

TEST_F(WalkerTest, BeginsAfterThePrefix) {
  Prefix prefix;
  prefix.kind = Stop::Sample;
  prefix.dist = Value::integer(1);
  prefix.site = 6;
  walker_.begin(prefix);
  walker_.run(source(), leave);
  EXPECT_EQ(seen_, (Sites{6, 1}));

  prefix.kind = Stop::Observe;  // it has been scored
  machine_.answers.clear();
  seen_.clear();
  walker_.begin(prefix);
  leaves_at_ = 1;
  walker_.run(source(), observer());
  EXPECT_EQ(seen_, (Sites{1}));

  prefix.kind = Stop::Result;
  prefix.result = Value::real(4);
  walker_.begin(prefix);
  EXPECT_EQ(walker_.run(source(), observer()), Stop::Result);
  EXPECT_DOUBLE_EQ(walker_.stop.value.d, 4);
}

TEST_F(WalkerTest, DrawsFromTheDistributionOrFails) {
  walker_.begin(Execution{});
  EXPECT_EQ(walker_.run(from_prior, pass), Stop::Result);
  EXPECT_EQ(answers(), (Answers{0, 0.5, 0, 0.5, 0}));
  walker_.begin_at_draw(Execution{}, Value::nil(), 5);
  EXPECT_EQ(walker_.run(from_prior, pass), Stop::Failed);
  EXPECT_EQ(machine_.failure().message, "no distribution");
}

TEST_F(WalkerTest, ASourceOrAnObserverMayFail) {
  walker_.begin(Execution{});
  const auto refuse = [](Walker& w) {
    return w.fail({Code::R014, Severity::Error, {}, "not here", "", {}});
  };
  EXPECT_EQ(walker_.run(from_prior, refuse), Stop::Failed);
  EXPECT_EQ(machine_.failure().message, "not here");
  EXPECT_EQ(walker_.run(from_prior, pass), Stop::Failed);  // and goes no further
}

}  // namespace
}  // namespace chancel
