// SPDX-License-Identifier: Apache-2.0
// Slot 0 follows a retained path, and draws take what is given, without a program.
#include "particles/given_path.hpp"

#include <gtest/gtest.h>

#include "idle_workers.hpp"
#include "value/dist_object.hpp"

namespace chancel {
namespace {

// A distribution whose log density at x is -x, for x >= 0.
double exponential_log_prob(NativeContext&, const Dist*, const Value& x) {
  return x.is(Tag::Double) && x.d >= 0 ? -x.d : kLogZero;
}
DistType make_type(const char* name) {
  DistType type{};
  type.name = name;
  type.log_prob = exponential_log_prob;
  return type;
}
const DistType kExponential = make_type("exponential");
const DistType kOther = make_type("other");

class GivenPathTest : public ::testing::Test {
 protected:
  GivenPathTest() : workers_(idle_setup(4)), given_(workers_.pool.setup()) {
    settings_.particles = 3;
    settings_.keep_history = settings_.record_draws = true;
    register_history_scanner();
  }
  Value distribution(const DistType& type = kExponential) {
    auto* d = workers_.arena().make<Dist>(Tag::Dist, bytes_with<Dist>(0));
    d->type = &type;
    d->value_count = 0;
    return Value::object(d);
  }
  ValueArray* draws(std::uint32_t site, double value) {
    return make_draws(workers_.arena(),
                      {Value::integer(site), distribution(), Value::real(value), Value::nil()});
  }
  // Two observes with scores -1 and -2, and a draw on the way to each stop.
  RetainedPath path() {
    RetainedPath path;
    Arena& arena = workers_.arena();
    History* first = make_history(arena, nullptr, workers_.running(10), -1, draws(0, 0.5));
    History* second = make_history(arena, first, workers_.running(20), -2, draws(1, 0.25));
    path.assign(second, IdleWorkers::ended(30), Value::integer(7), draws(2, 0.125));
    return path;
  }
  Checkpoint at_draw(std::uint32_t site, const Value& dist) {
    Checkpoint stop;
    stop.kind = Stop::Sample;
    stop.site = site;
    stop.dist = dist;
    return stop;
  }
  bool answer(const Checkpoint& stop, Value* value) {
    Execution x = workers_.running(0);
    return given_.answer(workers_.worker(), x, stop, true, value);
  }

  IdleWorkers workers_;
  GivenPath given_;
  SweepSettings settings_;
};

TEST_F(GivenPathTest, NamesRandomNumbersByTheSweepOrByBlocksOfBarriers) {
  const StreamName sweep{1}, first{2}, second{3};
  EXPECT_EQ(given_.name_at(sweep, 5).key, sweep.key);
  given_.block_names = {first, second};
  given_.block_length = 2;
  EXPECT_EQ(given_.name_at(sweep, 1).key, first.key);
  EXPECT_EQ(given_.name_at(sweep, 2).key, second.key);
  EXPECT_EQ(given_.name_at(sweep, 9).key, second.key);  // the last block has the rest
}

TEST_F(GivenPathTest, SlotZeroStandsWhereThePathStands) {
  RetainedPath retained = path();
  given_.path = &retained;
  Particles particles(settings_);
  particles.make(settings_);
  particles.begin();
  particles.follows = true;
  const std::uint64_t expected[] = {10, 20, 30};
  const double log_weights[] = {-1, -3, -3};
  for (std::uint32_t barrier = 0; barrier < 3; ++barrier) {
    given_.follow(barrier, workers_.worker(), particles);
    particles.next_generation();
    EXPECT_EQ(particles.states.now[0].applications, expected[barrier]);
    EXPECT_DOUBLE_EQ(particles.weights.log(0), log_weights[barrier]);
  }
  EXPECT_EQ(particles.states.results[0].i, 7);
  EXPECT_EQ(particles.histories.end_slot(0), kRetainedSlot);
  EXPECT_EQ(particles.histories.last_draws(0), retained.last_draws);
  EXPECT_EQ(particles.histories.history(0), retained.steps[1]);
}

TEST_F(GivenPathTest, ThePathIsWeightedByTheParametersThatItHasDrawn) {
  RetainedPath retained = path();
  const ParameterChoice early("auto", *workers_.pool.setup().image->program);
  GivenParameters parameters;
  parameters.take(early, retained);
  ASSERT_EQ(parameters.draws.size(), 1u);  // the draw before the first observe
  given_.path = &retained;
  given_.parameters = &parameters;
  given_.choice = &early;
  Particles particles(settings_);
  particles.make(settings_);
  particles.begin();
  given_.follow(0, workers_.worker(), particles);
  EXPECT_DOUBLE_EQ(particles.weights.log(0),
                   -1 - 0.5);  // the observe, and the draw 0.5 by its distribution
  EXPECT_EQ(retained.steps[0]->given, 1u);
}

TEST_F(GivenPathTest, DrawsTakeWhatIsGivenInOrder) {
  const ParameterChoice all("auto", *workers_.pool.setup().image->program);
  GivenParameters parameters;
  parameters.draws = {{0, Value::nil(), Value::real(0.5), distribution()},
                      {1, Value::nil(), Value::real(0.25), distribution()}};
  given_.parameters = &parameters;
  given_.choice = &all;
  Value value = Value::nil();
  ASSERT_TRUE(answer(at_draw(0, distribution()), &value));
  EXPECT_DOUBLE_EQ(value.d, 0.5);
  EXPECT_FALSE(given_.all_taken(workers_.worker()));
  ASSERT_TRUE(answer(at_draw(1, distribution()), &value));
  EXPECT_DOUBLE_EQ(value.d, 0.25);
  EXPECT_TRUE(given_.all_taken(workers_.worker()));
  EXPECT_DOUBLE_EQ(workers_.worker().log_given, -0.75);
}

TEST_F(GivenPathTest, ADrawThatIsNotTheNextParameterFails) {
  const ParameterChoice all("auto", *workers_.pool.setup().image->program);
  GivenParameters parameters;
  parameters.draws = {{0, Value::nil(), Value::real(0.5), distribution()}};
  given_.parameters = &parameters;
  given_.choice = &all;
  Value value = Value::nil();
  EXPECT_FALSE(answer(at_draw(3, distribution()), &value));
  EXPECT_EQ(workers_.pool.machine().failure().code, Code::I006);
  EXPECT_FALSE(answer(at_draw(0, distribution(kOther)), &value));
  EXPECT_EQ(workers_.pool.machine().failure().message,
            "this parameter has distributions of different kinds");
}

TEST_F(GivenPathTest, KnowsWhetherAllParticlesHaveTakenTheParameters) {
  GivenParameters parameters;
  parameters.draws = {{0, Value::nil(), Value::real(0.5), distribution()}};
  given_.parameters = &parameters;
  Particles particles(settings_);
  particles.make(settings_);
  particles.begin();
  for (std::size_t i = 0; i < settings_.particles; ++i) {
    particles.states.next[i] = workers_.running(i);
    particles.histories.set_history(
        i, make_history(workers_.arena(), nullptr, particles.states.next[i], 0, nullptr));
    particles.histories.next_history(i)->given = 1;
  }
  particles.next_generation();
  EXPECT_TRUE(given_.all_have_taken(particles));
  particles.histories.history(2)->given = 0;
  EXPECT_FALSE(given_.all_have_taken(particles));
  particles.weights.log(2) = kLogZero;  // it goes no further
  EXPECT_TRUE(given_.all_have_taken(particles));
}

}  // namespace
}  // namespace chancel
