// SPDX-License-Identifier: Apache-2.0
// What a sweep does with particles that native code has run, and with those that it leaves.
#include "particles/native_sweep.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "idle_workers.hpp"
#include "math/log_space.hpp"

namespace chancel {
namespace {

// Takes particles to their next observe, where particle i scores -i; the one with number `leaves` is left to the
// interpreter, and all end at barrier `last`.
class FakeTier final : public NativeTier {
 public:
  static inline std::size_t leaves = 0;
  static inline std::uint32_t last = 100;
  static inline std::size_t adopted = 0;

  static std::unique_ptr<NativeTier> make(const Prefix&, const RunSetup&, Executor&, NativeNeeds) {
    return std::make_unique<FakeTier>();
  }
  State look(const Prefix&, Executor&, bool) override { return State::Ready; }
  NativeProgress run(Executor&, const NativeTurn& turn) override {
    NativeProgress done{};
    std::size_t i = turn.begin;
    for (; i < turn.end && i != leaves; ++i) {
      turn.to[i] = turn.from[turn.parents ? turn.parents[i] : i];
      ++turn.to[i].applications;
      ++done.applications;
      turn.scores[i] = -static_cast<double>(i);
      if (turn.barrier == last) {
        turn.to[i].top = nullptr;
        ++done.ended;
      }
    }
    done.next = i;
    done.stays = std::min(turn.end, i + 1);
    done.has_site = i > turn.begin && done.ended == 0;
    done.site = 3;
    return done;
  }
  void adopt(Executor&, Execution&, const Execution*) override { ++adopted; }
  const Execution& first() const override { return first_; }
  std::uint32_t site_of(const Execution&) const override { return 3; }
  void visit(Evacuator&) override {}

 private:
  Execution first_;
};

RunSetup native_setup(NativeUse use) {
  RunSetup setup = idle_setup();
  setup.native = use;
  setup.native_tier = FakeTier::make;
  return setup;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

class NativeSweepTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kParticles = 6;
  explicit NativeSweepTest(NativeUse use = NativeUse::Always) : workers_(native_setup(use)) {
    settings_.particles = kParticles;
    register_history_scanner();
    FakeTier::leaves = ~std::size_t{0};
    FakeTier::last = 100;
    FakeTier::adopted = 0;
  }
  // All stand at an observe, particle i after 100 i applications.
  void begin() {
    particles_.emplace(settings_);
    particles_->make(settings_);
    particles_->begin();
    for (std::size_t i = 0; i < kParticles; ++i)
      particles_->states.next[i] = workers_.running(100 * i);
    particles_->next_generation();
    sweep_.emplace(workers_.pool, settings_, *particles_,
                   [this](Worker&, StreamName, std::uint32_t, std::size_t from, std::size_t to) {
                     interpreted_.emplace_back(from, to);
                   });
  }
  void advance(std::uint32_t barrier) {
    Worker& worker = workers_.worker();
    worker.largest = kLogZero;
    worker.running = worker.finished = 0;
    sweep_->begin_barrier(barrier, prefix_, *worker.machine, [] { return true; });
    ASSERT_TRUE(sweep_->on());
    sweep_->begin_turn(worker);
    sweep_->advance(worker, StreamName{1}, barrier, 0, kParticles);
    sweep_->end_barrier(0, 1, kParticles, worker.running > 0);
    particles_->next_generation();
    sweep_->take_blocks(0, 1);
  }

  IdleWorkers workers_;
  SweepSettings settings_;
  Prefix prefix_;
  std::optional<Particles> particles_;
  std::optional<NativeSweep> sweep_;
  std::vector<std::pair<std::size_t, std::size_t>> interpreted_;
};

TEST_F(NativeSweepTest, AddsScoresToWeightsAndCountsWhatRuns) {
  begin();
  for (std::size_t i = 0; i < kParticles; ++i) particles_->weights.log(i) = 10;
  advance(1);
  for (std::size_t i = 0; i < kParticles; ++i) {
    EXPECT_DOUBLE_EQ(particles_->weights.log(i), 10 - static_cast<double>(i));
    EXPECT_EQ(particles_->states.now[i].applications, 100 * i + 1);
  }
  const Worker& worker = workers_.worker();
  EXPECT_DOUBLE_EQ(worker.largest, 10);
  EXPECT_EQ(worker.running, kParticles);
  EXPECT_EQ(worker.site, 3u);
  EXPECT_TRUE(interpreted_.empty());
}

TEST_F(NativeSweepTest, WeightsThatAreOldStartAtOne) {
  begin();
  for (std::size_t i = 0; i < kParticles; ++i) particles_->weights.log(i) = 10;
  particles_->weights.leave_old(true);
  advance(1);
  for (std::size_t i = 0; i < kParticles; ++i)
    EXPECT_DOUBLE_EQ(particles_->weights.log(i), -static_cast<double>(i));
}

TEST_F(NativeSweepTest, LeavesParticlesToTheInterpreterAndAdoptsThem) {
  FakeTier::leaves = 2;
  begin();
  particles_->weights.log(2) = 10;
  particles_->weights.leave_old(true);
  advance(1);
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{2, 3}};
  EXPECT_EQ(interpreted_, expected);
  EXPECT_EQ(FakeTier::adopted, 1u);
  EXPECT_DOUBLE_EQ(particles_->weights.log(2), 0);  // reset for the interpreter
  EXPECT_EQ(workers_.worker().running, kParticles - 1);
}

TEST_F(NativeSweepTest, KeepsThePastsOfParticles) {
  settings_.keep_history = true;
  begin();
  particles_->histories.next_scores()[4] = -7;
  particles_->histories.next_generation();
  advance(1);
  const History* past = particles_->history(4, workers_.arena());
  ASSERT_NE(past, nullptr);  // the state it came from, with the score of its observe
  EXPECT_EQ(past->at.applications, 400u);
  EXPECT_EQ(past->slot, 4u);
  EXPECT_DOUBLE_EQ(past->log_prob, -7);
}

TEST_F(NativeSweepTest, PastsOfThoseThatEndTogetherAreMadeWhenAskedFor) {
  settings_.keep_history = true;
  FakeTier::last = 1;
  begin();
  particles_->weights.log(0) = 0;
  advance(1);
  EXPECT_TRUE(particles_->ended_together);
  EXPECT_EQ(workers_.worker().finished, kParticles);
  EXPECT_EQ(particles_->histories.history(5), nullptr);
  const History* past = particles_->history(5, workers_.arena());
  ASSERT_NE(past, nullptr);
  EXPECT_EQ(past->at.applications, 500u);
  EXPECT_EQ(particles_->histories.end_slot(5), 5u);
}

TEST_F(NativeSweepTest, WhereDrawsAreRecordedItStartsAfterThoseThatAreLookedAt) {
  settings_.keep_history = settings_.record_draws = settings_.early_draws = true;
  begin();
  const auto is_on = [&](std::uint32_t barrier, bool ready) {
    sweep_->begin_barrier(barrier, prefix_, *workers_.worker().machine, [&] { return ready; });
    return sweep_->on();
  };
  EXPECT_FALSE(is_on(0, true));
  EXPECT_FALSE(is_on(1, false));
  EXPECT_TRUE(is_on(1, true));
  EXPECT_TRUE(is_on(2, true));
}

class NoNativeSweepTest : public NativeSweepTest {
 protected:
  NoNativeSweepTest() : NativeSweepTest(NativeUse::WhereHot) {}
};

TEST_F(NoNativeSweepTest, ItIsAskedForOnceASweepIsHot) {
  begin();
  const auto look = [&] {
    sweep_->begin_barrier(0, prefix_, *workers_.worker().machine, [] { return true; });
    return sweep_->tier() != nullptr;
  };
  const double begun = processor_seconds();
  EXPECT_FALSE(look());
  while (processor_seconds() - begun < 2 * kHotSeconds) {
  }
  EXPECT_TRUE(look());
}

}  // namespace
}  // namespace chancel
