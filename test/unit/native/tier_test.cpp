// SPDX-License-Identifier: Apache-2.0
// Turns of native code, particle by particle, against the interpreter with the same random numbers. Whole engines are
// compared in test/native.
#include "native/tier.hpp"

#include <bit>

#include "value/print.hpp"
#include "walks.hpp"

namespace chancel::native {
namespace {

constexpr std::size_t kParticles = 8;

struct Generation {
  Execution to[kParticles];
  Value results[kParticles];
  double scores[kParticles] = {};
  NativeProgress done{};
};

class TierTest : public ::testing::Test {
 protected:
  void begin(const char* text) {
    at_.emplace(text);
    tier_ = make_tier(at_->prefix(), at_->setup(), at_->machine(), {});
    ASSERT_NE(tier_, nullptr);
    ASSERT_EQ(tier_->look(at_->prefix(), at_->machine(), true), NativeTier::State::Ready);
  }
  Generation run(const Execution* from, const std::uint32_t* parents, std::uint32_t barrier) {
    Generation g;
    const double no_weights[kParticles] = {};
    NativeTurn turn{};
    turn.from = from;
    turn.parents = parents;
    turn.to = g.to;
    turn.results = g.results;
    turn.scores = g.scores;
    turn.log_weights = no_weights;
    turn.end = kParticles;
    turn.fresh = !from;
    turn.name = kName;
    turn.barrier = barrier;
    g.done = tier_->run(at_->machine(), turn);
    return g;
  }
  // The same for one particle by the interpreter.
  Checkpoint interpret(Execution* x, std::size_t i, std::uint32_t barrier) {
    Executor& machine = at_->machine();
    machine.stream = Stream(kName, static_cast<std::uint32_t>(i), barrier);
    Value answer = Value::nil();
    if (barrier == 0) {
      *x = at_->prefix().at;
      EXPECT_TRUE(machine.draw_for(*x, at_->prefix().dist, &answer));
    }
    return machine.resume(*x, answer);
  }
  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

  static constexpr StreamName kName{77};
  std::optional<AtPrefix> at_;
  std::unique_ptr<NativeTier> tier_;
};

TEST_F(TierTest, TakesParticlesFromObserveToObserve) {
  begin(kWalk);
  const Generation first = run(nullptr, nullptr, 0);
  ASSERT_EQ(first.done.next, kParticles);
  EXPECT_EQ(first.done.ended, 0u);
  EXPECT_TRUE(first.done.has_site);
  EXPECT_FALSE(first.done.mixed_sites);
  const std::uint32_t parents[kParticles] = {0, 0, 3, 3, 4, 5, 7, 7};
  const Generation second = run(first.to, parents, 1);
  const Generation last = run(second.to, nullptr, 2);
  ASSERT_EQ(last.done.ended, kParticles);

  Execution x[kParticles];
  for (std::size_t i = 0; i < kParticles; ++i) {
    const Checkpoint stop = interpret(&x[i], i, 0);
    ASSERT_EQ(stop.kind, Stop::Observe);
    EXPECT_EQ(bits(stop.log_prob), bits(first.scores[i])) << i;
    EXPECT_EQ(stop.site, tier_->site_of(first.to[i]));
    EXPECT_EQ(x[i].applications, first.to[i].applications);
  }
  for (std::size_t i = 0; i < kParticles; ++i) {
    Execution child = x[parents[i]];
    EXPECT_EQ(bits(interpret(&child, i, 1).log_prob), bits(second.scores[i])) << i;
    const Checkpoint end = interpret(&child, i, 2);
    ASSERT_EQ(end.kind, Stop::Result);
    EXPECT_EQ(show(end.value), show(last.results[i]));
    EXPECT_EQ(child.applications, last.to[i].applications);
    EXPECT_EQ(show(child.predicts->value), show(last.to[i].predicts->value));
  }
}

TEST_F(TierTest, ExecutionsChangeHandsAtAnObserve) {
  begin(kWalk);
  const Generation first = run(nullptr, nullptr, 0);
  const Generation second = run(first.to, nullptr, 1);
  for (std::size_t i = 0; i < kParticles; ++i) {
    // From native code to the interpreter ...
    Execution x = first.to[i];
    EXPECT_EQ(bits(interpret(&x, i, 1).log_prob), bits(second.scores[i])) << i;
    // ... and back: adopted executions are rows again.
    EXPECT_EQ(x.top->tag, Tag::Frame);
    tier_->adopt(at_->machine(), x, nullptr);
    ASSERT_EQ(x.top->tag, Tag::Row);
    EXPECT_EQ(tier_->site_of(x), tier_->site_of(second.to[i]));
  }
}

TEST_F(TierTest, ParticlesThatHaveEndedAreLeftAlone) {
  begin(kParting);
  const Generation first = run(nullptr, nullptr, 0);
  ASSERT_EQ(first.done.next, kParticles);
  Generation second = run(first.to, nullptr, 1);
  ASSERT_GT(second.done.ended, 0u);          // neither all heads
  ASSERT_LT(second.done.ended, kParticles);  // nor all tails
  std::size_t i = 0;
  while (!second.to[i].ended()) ++i;
  Execution ended[kParticles];
  ended[0] = second.to[i];
  const Generation none = run(ended, nullptr, 2);
  EXPECT_EQ(none.done.next, 0u);
  EXPECT_GE(none.done.stays, 1u);
}

TEST_F(TierTest, WithoutADrawThereIsNothingToCompile) {
  AtPrefix at("(defquery none [] (+ 1 2))");  // it has ended before any draw
  EXPECT_EQ(make_tier(at.prefix(), at.setup(), at.machine(), {}), nullptr);
}

}  // namespace
}  // namespace chancel::native
