// SPDX-License-Identifier: Apache-2.0
// A sweep of several ranks, without a program: the state of a particle is a hash of the slots of its ancestors, and
// weighs what the hash says. Ranks must find the bits of one process, also where particles cross borders.
#include "particles/sweep_across_ranks.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "../ranks/on_ranks.hpp"
#include "idle_workers.hpp"

namespace chancel {
namespace {

constexpr std::uint32_t kBarriers = 6;

std::uint64_t step(std::uint64_t before, std::uint32_t barrier, std::size_t slot) {
  return mix64(before ^ mix64((std::uint64_t{barrier} << 32) + slot + 1));
}

struct Found {
  std::vector<std::uint64_t> states;  // by slot
  std::vector<double> log_means;      // by barrier
  double variance = 0;                // of the evidence
  std::size_t crossed = 0;            // segments that were run again on another rank
  bool operator==(const Found&) const = default;
};

// The log weight of a particle in the slots 0 .. n-1: the first slots are much likelier where weights are uneven.
double log_weight(std::uint64_t state, std::size_t slot, std::size_t n, bool uneven) {
  const double noise = static_cast<double>(state % 1000) / 1000;
  return uneven && slot >= n / 3 ? noise - 3 : noise;
}

// Of one process, or of the slice of a rank.
Found run(const SweepSettings& settings, Ranks* ranks, bool uneven) {
  const std::size_t n = settings.particles;
  IdleWorkers workers;
  Particles particles(settings);
  SweepAcrossRanks sweep(workers.pool, settings, particles);
  particles.make(settings);
  sweep.begin(ranks);
  particles.begin();
  SweepOutcome outcome;
  BarrierTotals totals;
  Found mine;
  mine.states.resize(n);
  SweepAcrossRanks::Rerun rerun;
  rerun.segment = [&](std::uint32_t barrier, std::uint32_t slot, Execution& x, Value*) {
    x = workers.running(step(barrier == 0 ? 0 : x.applications, barrier, slot));
    ++mine.crossed;
    return true;
  };
  rerun.adopt = [](Execution&) {};
  for (std::uint32_t barrier = 0; barrier < kBarriers; ++barrier) {
    const bool entered = !ranks || barrier == 0 || sweep.enter(rerun, outcome);
    EXPECT_TRUE(entered);
    if (barrier > 0) sweep.keep_lineages();
    const auto slice = sweep.slice();
    totals = {};
    for (std::size_t i = slice.begin; i < slice.end; ++i) {
      const std::size_t parent = particles.genealogy.parent(i);
      const std::uint64_t before = barrier == 0 ? 0 : particles.states.now[parent].applications;
      particles.states.next[i] = workers.running(step(before, barrier, i));
      particles.genealogy.descend(i, parent);
      particles.weights.log(i) = log_weight(particles.states.next[i].applications, i, n, uneven);
      totals.largest = std::max(totals.largest, particles.weights.log(i));
      ++totals.running;
    }
    const bool shared = !ranks || sweep.share_counts(0, false, totals, outcome);
    EXPECT_TRUE(shared);
    EXPECT_EQ(totals.running, n);
    particles.next_generation();
    if (ranks)
      sweep.share_weights(totals.largest);
    else
      particles.weights.weigh(workers.pool, true, totals.largest);
    mine.log_means.push_back(particles.weights.now().log_mean());
    if (barrier + 1 == kBarriers) break;
    Stream stream = workers.pool.stream(StreamName{5}, kResamplingSlot, barrier);
    outcome.barriers.emplace_back();
    if (sweep.has_all_weights())
      particles.genealogy.draw(particles.weights.now(), stream, false);
    else
      sweep.draw_parents(stream, {});
    particles.weights.reset(sweep.slice().begin, sweep.slice().end);
  }
  mine.variance = ranks ? sweep.evidence_error().variance
                        : particles.genealogy
                              .evidence_error(particles.weights.now(), particles.weights.before())
                              .variance;
  for (std::size_t i = sweep.slice().begin; i < sweep.slice().end; ++i)
    mine.states[i] = particles.states.now[i].applications;
  return mine;
}

SweepSettings across_ranks(std::uint32_t particles) {
  SweepSettings settings;
  settings.particles = particles;
  settings.keep_lineages = true;
  return settings;
}

Found run_on(unsigned size, const SweepSettings& settings, bool uneven) {
  Found all;
  std::mutex mutex;
  on_ranks(size, [&](Ranks& ranks) {
    const Found mine = run(settings, &ranks, uneven);
    const std::lock_guard<std::mutex> lock(mutex);
    all.states.resize(mine.states.size());
    for (std::size_t i = 0; i < mine.states.size(); ++i)
      if (mine.states[i] != 0) all.states[i] = mine.states[i];
    all.log_means = mine.log_means;
    all.crossed += mine.crossed;
    if (ranks.first()) all.variance = mine.variance;
  });
  return all;
}

TEST(SweepAcrossRanks, HasAllParticlesWithoutRanks) {
  const SweepSettings settings = across_ranks(100);
  IdleWorkers workers;
  Particles particles(settings);
  SweepAcrossRanks sweep(workers.pool, settings, particles);
  sweep.begin(nullptr);
  EXPECT_EQ(sweep.slice().begin, 0u);
  EXPECT_EQ(sweep.slice().end, 100u);
  EXPECT_TRUE(sweep.has_all_weights());
  EXPECT_EQ(sweep.add_up(3), 3u);
}

TEST(SweepAcrossRanks, FindsTheBitsOfOneProcess) {
  const SweepSettings settings = across_ranks(3 * 4 * 512);
  const Found alone = run(settings, nullptr, false);
  for (const unsigned size : {2u, 3u}) {
    const Found shared = run_on(size, settings, false);
    EXPECT_EQ(shared.states, alone.states) << size;
    EXPECT_EQ(shared.log_means, alone.log_means) << size;
    EXPECT_EQ(shared.variance, alone.variance) << size;
  }
}

TEST(SweepAcrossRanks, RunsParticlesThatCrossABorderAgain) {
  const SweepSettings settings = across_ranks(3 * 4 * 512);
  const Found alone = run(settings, nullptr, true);
  const Found shared = run_on(3, settings, true);
  EXPECT_GT(shared.crossed, 0u);
  EXPECT_EQ(shared.states, alone.states);
  EXPECT_EQ(shared.log_means, alone.log_means);
  EXPECT_EQ(shared.variance, alone.variance);
}

TEST(SweepAcrossRanks, PassesAFailureToAllRanks) {
  const SweepSettings settings = across_ranks(1024);
  on_ranks(2, [&](Ranks& ranks) {
    IdleWorkers workers;
    Particles particles(settings);
    SweepAcrossRanks sweep(workers.pool, settings, particles);
    particles.make(settings);
    sweep.begin(&ranks);
    SweepOutcome outcome;
    BarrierTotals totals;
    if (ranks.rank() == 1) outcome.fail({Code::R012, Severity::Error, {}, "of rank 1", "", {}});
    outcome.applications = 10 + ranks.rank();
    EXPECT_FALSE(sweep.share_counts(0, false, totals, outcome));
    ASSERT_TRUE(outcome.failure);
    EXPECT_EQ(outcome.failure->message, "of rank 1");
    EXPECT_EQ(outcome.applications, 21u);
  });
}

}  // namespace
}  // namespace chancel
