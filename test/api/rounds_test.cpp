// SPDX-License-Identifier: Apache-2.0
// What ends a run: its work, counted in rounds that are the same on any machine. A run that was stopped
// somewhere consists of whole rounds, and their number repeats its draws and statistics.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"
#include "runs/rounds.hpp"
#include "runs/start.hpp"

namespace {

using namespace chancel;

// Two modes that chains seldom leave: 400 effective draws are far away.
const char* const kTwoModes =
    "(defquery q (let [x (sample (normal 0 10)) k (sample (flip 0.5))]"
    " (observe (normal (* x x) 0.01) 25) (observe (normal (if k 1 0) 0.5) 1)"
    " (predict :x x) (predict :k k)))";

// Executions of very different length, so that chains are not alike in speed.
const char* const kUneven =
    "(defquery q (let [n (sample (poisson 20))"
    " s (loop [i 0 s 0.0] (if (< i (* n n)) (recur (inc i) (+ s 0.001)) s))]"
    " (observe (normal s 0.2) 0.5) (predict :x n)))";

struct Drawn {
  std::vector<double> xs;
  std::vector<std::uint32_t> chains;
  RunStatistics statistics;
  std::string table;
  std::uint64_t of_chain(std::uint32_t chain) const {
    return static_cast<std::uint64_t>(std::count(chains.begin(), chains.end(), chain));
  }
};

struct Settings {
  const char* program = kUneven;
  InferOptions options;
  std::uint64_t stop_after = 0;  // draws; 0: never
  double work = 0;               // 0: as usual
};

Drawn infer(Settings s) {
  Drawn out;
  auto model = Model::compile(s.program);
  const Interrupt stop;
  s.options.interrupt = stop;
  s.options.seed = 5;
  if (s.options.threads == 0) s.options.threads = 2;
  Inference run = model.infer("q", s.options);
  if (s.work > 0) InferenceAccess::limit_work(run, s.work);
  SummaryBuilder builder;
  while (const Draw* draw = run.next()) {
    builder.add(*draw);
    out.xs.push_back((*draw)["x"].number());
    out.chains.push_back(draw->chain);
    if (out.xs.size() == s.stop_after) stop.request();
  }
  out.statistics = run.statistics();
  // All of the table but time and memory, and how the run ended.
  RunStatistics same = out.statistics;
  same.seconds = 0;
  same.peak_memory = 0;
  same.stopped.clear();
  same.interrupted = false;
  std::erase_if(same.warnings, [](const Message& m) { return m.code[0] == 'L'; });
  out.table = table(builder.summary(same, 1), same, {});
  return out;
}

void expect_repeated(const Drawn& first, Settings settings, unsigned threads) {
  ASSERT_TRUE(first.statistics.cut);
  ASSERT_GT(first.statistics.rounds, 0u);
  settings.stop_after = 0;
  settings.options.limits.timeout = 0;
  settings.options.threads = threads;
  settings.options.rounds = first.statistics.rounds;
  const Drawn again = infer(settings);
  EXPECT_EQ(again.xs, first.xs);
  EXPECT_EQ(again.chains, first.chains);
  EXPECT_EQ(again.table, first.table);
  EXPECT_FALSE(again.statistics.cut);
}

TEST(Rounds, repeat_what_an_interrupt_ended) {
  for (const char* engine : {"lmh", "plmh", "palmh", "importance", "smc", "pgibbs", "pimh"}) {
    SCOPED_TRACE(engine);
    Settings s;
    s.options.algorithm = engine;
    s.options.samples = 0;
    s.options.chains = 3;
    s.stop_after = 701;
    const Drawn first = infer(s);
    EXPECT_GE(first.xs.size(), 701u);
    for (const unsigned threads : {1u, 3u}) expect_repeated(first, s, threads);
  }
}

TEST(Rounds, repeat_a_default_run) {
  Settings s;
  s.program = kTwoModes;
  s.stop_after = 333;
  const Drawn first = infer(s);
  for (std::uint32_t chain = 1; chain < 4; ++chain)
    EXPECT_EQ(first.of_chain(chain), first.of_chain(0));
  expect_repeated(first, s, 1);
}

TEST(Rounds, repeat_what_the_clock_ended) {
  Settings s;
  s.program = kTwoModes;
  Drawn first;
  for (s.options.limits.timeout = 0.1; first.xs.empty(); s.options.limits.timeout *= 2)
    first = infer(s);
  EXPECT_EQ(first.statistics.stopped.rfind("the time limit of ", 0), 0u);
  EXPECT_NE(first.statistics.stopped.find("; --rounds " + std::to_string(first.statistics.rounds) +
                                          " repeats it"),
            std::string::npos)
      << first.statistics.stopped;
  expect_repeated(first, s, 3);
}

TEST(Rounds, repeat_a_run_with_a_number_of_draws_that_the_clock_ended) {
  Settings s;
  s.options.algorithm = "lmh";
  s.options.samples = 1000000000;
  Drawn first;
  for (s.options.limits.timeout = 0.1; first.xs.empty(); s.options.limits.timeout *= 2)
    first = infer(s);
  EXPECT_TRUE(first.statistics.interrupted);
  expect_repeated(first, s, 1);
}

TEST(Rounds, end_by_work_at_the_same_draw_with_any_number_of_threads) {
  Settings s;
  s.program = kTwoModes;
  s.work = 2e7;
  s.options.threads = 1;
  const Drawn first = infer(s);
  EXPECT_EQ(first.statistics.stopped.rfind("all the work that is done without --timeout", 0), 0u)
      << first.statistics.stopped;
  EXPECT_FALSE(first.statistics.cut);
  EXPECT_GE(first.of_chain(3), 20u);
  s.options.threads = 4;
  const Drawn again = infer(s);
  EXPECT_EQ(again.xs, first.xs);
  EXPECT_EQ(again.table, first.table);
  s.work = 4e7;
  EXPECT_GT(infer(s).xs.size(), first.xs.size());
}

TEST(Rounds, of_a_run_that_has_its_draws_change_nothing) {
  Settings s;
  s.options.algorithm = "lmh";
  s.options.samples = 500;
  s.options.chains = 3;
  const Drawn all = infer(s);
  EXPECT_EQ(all.xs.size(), 1500u);
  s.options.rounds = 1000000;
  EXPECT_EQ(infer(s).xs, all.xs);
  s.options.rounds = 10;
  const Drawn some = infer(s);
  EXPECT_EQ(some.xs, std::vector<double>(all.xs.begin(), all.xs.begin() + 30));
  EXPECT_EQ(some.statistics.stopped, "10 rounds, as asked for (--rounds)");
}

// The coin has two sides or one; half of all starts are at the wrong one.
TEST(Warmup, leaves_the_prior_start_out_of_the_answer) {
  auto model = Model::compile(
      "(defquery q (let [p (sample (categorical [[0.5 0.5] [1.0 0.5]]))]"
      " (dotimes [i 50] (observe (flip p) true)) (predict :x p)))");
  const auto wrong = [&](std::optional<std::uint64_t> burn) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      InferOptions o;
      o.algorithm = "lmh";
      o.seed = seed;
      o.samples = 200;
      o.burn = burn;
      for (const Draw& draw : model.infer("q", o)) count += draw["x"].number() != 1;
    }
    return count;
  };
  EXPECT_EQ(wrong({}), 0);
  EXPECT_GT(wrong(0), 0);
}

TEST(Warmup, is_there_in_every_chain_unless_it_is_given) {
  const std::vector<std::string> chains = {"pimh", "pgibbs", "pgas",     "ipmcmc", "pmmh",
                                           "lmh",  "rmh",    "almh",     "plmh",   "palmh",
                                           "nuts", "block",  "partition"};
  const char* const program =
      "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 1) (predict :x x)))";
  const char* const seats =
      "(defquery q (let [p (CRP 1.0) z (sample (produce p)) p (absorb p z) w (sample (produce p))]"
      " (observe (normal (if (= z w) 0 1) 1) 1) (predict :x (if (= z w) 1 0))))";
  for (const EngineInfo& engine : engines()) {
    SCOPED_TRACE(engine.name);
    const bool is_chain = std::find(chains.begin(), chains.end(), engine.name) != chains.end();
    auto model = Model::compile(engine.name == "partition" ? seats : program);
    const auto left_out = [&](std::optional<std::uint64_t> given) {
      InferOptions o;
      o.algorithm = engine.name;
      if (engine.name != "enumerate" && engine.name != "map") o.samples = 50;
      o.warmup = o.burn = given;
      o.threads = 1;
      try {
        Inference run = model.infer("q", o);
        while (run.next()) {
        }
        return run.statistics().warmup + run.statistics().burn;
      } catch (const Error&) {  // not for this program
        return std::uint64_t{0};
      }
    };
    if (is_chain) {
      EXPECT_GT(left_out({}), 0u);
    }
    EXPECT_EQ(left_out(0), 0u);
  }
}

TEST(Rounds, are_counted_at_once) {
  for (const bool sweeps : {false, true}) {
    RoundCount slow;
    for (const std::uint64_t turns :
         {0, 1, 30, 999, 1000, 1001, 1499, 1500, 20000, 20063, 300000}) {
      while (slow.next_end(sweeps) <= turns) slow.advance(sweeps);
      RoundCount fast;
      fast.advance_to(turns, sweeps);
      EXPECT_EQ(fast.rounds, slow.rounds) << turns;
      EXPECT_EQ(fast.end, slow.end) << turns;
    }
    RoundCount forged;
    forged.advance_to(RoundCount::kMostTurns, sweeps);
    EXPECT_LE(forged.end, RoundCount::kMostTurns);
    EXPECT_GT(forged.next_end(sweeps), RoundCount::kMostTurns);
  }
}

}  // namespace
