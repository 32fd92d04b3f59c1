// SPDX-License-Identifier: Apache-2.0
// Whole sweeps of small programs: conditional ones, executions that are made again, and sweeps as bytes. What the
// engines made of them estimate is tested in test/exact and test/measure.
#include "particles/population.hpp"

#include <gtest/gtest.h>

#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"

namespace chancel {
namespace {

// A chain of three states, observed with noise; the second program ends after one or two observes.
const char* const kChain = R"((defquery chain []
  (let [a (sample (normal 0 1))]
    (observe (normal a 1) 0.5)
    (let [b (sample (normal a 1))]
      (observe (normal b 1) 1.5)
      (let [c (sample (normal b 1))]
        (observe (normal c 1) 1.0)
        (predict :c c)
        [a b c])))))";
const char* const kUnaligned = R"((defquery unaligned []
  (let [long (sample (flip 0.5))]
    (observe (flip 0.7) true)
    (if long (observe (flip 0.4) true))
    (predict :long long)
    long)))";

class Model {
 public:
  explicit Model(const char* text) : session_(~std::size_t{0}, 1, make_doqueries) {
    EXPECT_TRUE(session_.load(text, "test", std::nullopt, LoadMode::Definitions, &loaded_));
    const auto query = session_.globals().value(loaded_.queries.front().name);
    host_.emplace(session_, session_.images().of(query.value_or(Value::nil()), Value::nil()));
  }
  RunSetup setup() {
    RunSetup setup = *setup_run(session_, loaded_.queries.front(), std::nullopt, StreamName{1});
    setup.run = host_->run();
    setup.native = NativeUse::Never;
    return setup;
  }

 private:
  Session session_;
  LoadResult loaded_;
  std::optional<RunHost> host_;
};

SweepSettings settings_for(std::uint32_t particles) {
  SweepSettings settings;
  settings.particles = particles;
  return settings;
}

std::vector<double> log_weights(const Population& sweep) {
  std::vector<double> out;
  for (std::size_t i = 0; i < sweep.size(); ++i) out.push_back(sweep.log_weight(i));
  return out;
}

TEST(Population, SaysWhatASweepFound) {
  Model model(kChain);
  WorkerPool workers(model.setup(), nullptr, 64 << 20);
  Population sweep(workers, settings_for(50));
  ASSERT_TRUE(sweep.run(StreamName{7}));
  EXPECT_TRUE(sweep.alive());
  EXPECT_TRUE(sweep.outcome().observed);
  EXPECT_TRUE(sweep.outcome().aligned);
  EXPECT_EQ(sweep.outcome().barriers.size(), 3u);
  EXPECT_EQ(sweep.outcome().particle_steps, 4u * 50);  // to three observes and the end
  EXPECT_TRUE(std::isfinite(sweep.log_evidence()));
}

TEST(Population, FinishedParticlesWaitWithTheirWeight) {
  Model model(kUnaligned);
  WorkerPool workers(model.setup(), nullptr, 64 << 20);
  Population sweep(workers, settings_for(200));
  ASSERT_TRUE(sweep.run(StreamName{7}));
  EXPECT_FALSE(sweep.outcome().aligned);
  // 0.7 (0.5 + 0.5 * 0.4), but for the share of long executions among the particles.
  EXPECT_NEAR(std::exp(sweep.log_evidence()), 0.49, 0.7 * 0.6 * 4 * 0.5 / std::sqrt(200.0));
}

TEST(Population, TheBitsDoNotDependOnThreads) {
  Model model(kChain);
  ThreadTeam team(3);
  WorkerPool one(model.setup(), nullptr, 64 << 20), three(model.setup(), &team, 64 << 20);
  Population alone(one, settings_for(1000)), shared(three, settings_for(1000));
  ASSERT_TRUE(alone.run(StreamName{7}));
  ASSERT_TRUE(shared.run(StreamName{7}));
  EXPECT_EQ(alone.log_evidence(), shared.log_evidence());
  EXPECT_EQ(log_weights(alone), log_weights(shared));
}

TEST(Population, SlotZeroFollowsTheRetainedPath) {
  Model model(kChain);
  WorkerPool workers(model.setup(), nullptr, 64 << 20);
  SweepSettings settings = settings_for(20);
  settings.keep_history = true;
  Population sweep(workers, settings);
  RetainedPath path;
  workers.add_roots([&](Evacuator& e) { path.visit(e); });
  ASSERT_TRUE(sweep.run(StreamName{7}));
  sweep.retain(11, path);
  const double scores[] = {path.steps[0]->log_prob, path.steps[1]->log_prob,
                           path.steps[2]->log_prob};
  std::uint32_t asked = 0;
  sweep.given().choose_ancestor = [&](std::uint32_t barrier, RetainedPath& followed) {
    EXPECT_EQ(barrier, asked++);
    EXPECT_EQ(&followed, &path);
    EXPECT_DOUBLE_EQ(sweep.log_weight(0), scores[barrier]);
    return 0u;
  };
  ASSERT_TRUE(sweep.run(StreamName{8}, &path));
  EXPECT_EQ(asked, 3u);
  EXPECT_EQ(sweep.execution(0).predicts, path.last.predicts);
}

TEST(Population, MakesAPathAgainFromItsNames) {
  Model model(kChain);
  WorkerPool workers(model.setup(), nullptr, 64 << 20);
  SweepSettings settings = settings_for(20);
  settings.keep_history = true;
  Population sweep(workers, settings);
  RetainedPath path, again;
  workers.add_roots([&](Evacuator& e) {
    path.visit(e);
    again.visit(e);
  });
  for (const std::uint64_t name : {7, 8, 9}) {  // the path has stretches of several sweeps
    ASSERT_TRUE(sweep.run(StreamName{name}, path.set ? &path : nullptr));
    sweep.retain(5, path);
  }
  ASSERT_EQ(path.names.size(), 4u);
  ASSERT_TRUE(sweep.rebuild(path.names, again));
  ASSERT_EQ(again.steps.size(), path.steps.size());
  for (std::size_t i = 0; i < path.steps.size(); ++i)
    EXPECT_EQ(again.steps[i]->log_prob, path.steps[i]->log_prob);
  EXPECT_EQ(again.last.applications, path.last.applications);
}

TEST(Population, MakesAPathAgainFromItsDraws) {
  Model model(kChain);
  WorkerPool workers(model.setup(), nullptr, 64 << 20);
  SweepSettings settings = settings_for(20);
  settings.keep_history = settings.record_draws = true;
  Population sweep(workers, settings);
  RetainedPath path, again;
  workers.add_roots([&](Evacuator& e) {
    path.visit(e);
    again.visit(e);
  });
  ASSERT_TRUE(sweep.run(StreamName{7}));
  sweep.retain(5, path);
  std::vector<Value> draws;
  for (std::size_t segment = 0; segment <= path.steps.size(); ++segment)
    for (std::size_t k = 0; k < draw_count(path.draws_before(segment)); ++k)
      draws.push_back(drawn_value(path.draws_before(segment), k));
  ASSERT_EQ(draws.size(), 3u);
  ASSERT_TRUE(sweep.rebuild(draws, again));
  for (std::size_t i = 0; i < path.steps.size(); ++i)
    EXPECT_EQ(again.steps[i]->log_prob, path.steps[i]->log_prob);
  draws.pop_back();
  EXPECT_FALSE(sweep.rebuild(draws, again));  // it draws more
}

TEST(Population, TravelsAsBytes) {
  Model model(kChain);
  WorkerPool there(model.setup(), nullptr, 64 << 20), here(model.setup(), nullptr, 64 << 20);
  Population sent(there, settings_for(30)), received(here, settings_for(30));
  ASSERT_TRUE(sent.run(StreamName{7}));
  ByteWriter out;
  std::string problem;
  sent.pack_outcome(out);
  ASSERT_TRUE(sent.pack_particles(out, 0, sent.size(), &problem)) << problem;
  const std::string bytes = out.take();
  ByteReader in(bytes);
  ASSERT_TRUE(received.unpack_outcome(in));
  ASSERT_TRUE(received.unpack_particles(in, 0, received.size()));
  EXPECT_TRUE(in.done());
  EXPECT_EQ(received.log_evidence(), sent.log_evidence());
  EXPECT_EQ(received.outcome().barriers.size(), sent.outcome().barriers.size());
  EXPECT_EQ(log_weights(received), log_weights(sent));
  for (std::size_t i = 0; i < sent.size(); ++i)
    EXPECT_EQ(received.execution(i).predicts->value.d, sent.execution(i).predicts->value.d);
}

}  // namespace
}  // namespace chancel
