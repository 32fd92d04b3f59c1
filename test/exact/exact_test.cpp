// SPDX-License-Identifier: Apache-2.0
// Engines on all their random numbers. Evidence-weighted output of engines with evidence must have
// the unnormalised target as its exact expectation; Markov chains must leave the target invariant.
// Both to 1e-12: nothing here is statistical (see saboteur_test.cpp for proof that mistakes are
// seen).
//
// Chains are started in their target by weighting: a first sweep has the distribution of plain
// SMC, and times its evidence estimate over the evidence that of the target with the sweep around
// it; a first single-site state has the prior distribution, and times its likelihood the target's.
#include <gtest/gtest.h>

#include <cmath>

#include "exact_checks.hpp"
#include "single_site/single_site.hpp"

namespace exact {
namespace {

constexpr double kTolerance = 1e-12;

void expect_target(Program& program, const std::vector<double>& got, double scale) {
  std::size_t i = 0;
  for (const auto& [state, weight] : program.target())
    EXPECT_NEAR(got[i++], weight * scale, kTolerance) << state;
}

// --- the programs' own tables, by hand ---

TEST(Target, TwoState) {
  Program p(kTwoState);
  ASSERT_EQ(p.target().size(), 2u);
  for (const auto& [state, weight] : p.target())
    EXPECT_NEAR(weight, 0.5 * 0.25 * 0.75, 1e-15) << state;
}

TEST(Target, Jump) {
  Program p(kJump);
  ASSERT_EQ(p.target().size(), 10u);
  EXPECT_NEAR(p.target().at(":a true :b 3 :c true "), 0.25 * 0.25 * 0.75 * 0.75 * 0.75, 1e-15);
  EXPECT_NEAR(p.target().at(":a false :b 0 :c false "), 0.75 * 0.5 * 0.25 * 0.5, 1e-15);
}

TEST(Target, Shrink) {
  Program p(kShrink);
  ASSERT_EQ(p.target().size(), 9u);
  EXPECT_NEAR(p.target().at(":n 4 :k 1 "), 1 / 3.0 / 4 * 0.75, 1e-15);
}

TEST(Target, Lengths) {
  Program p(kLengths);
  ASSERT_EQ(p.target().size(), 5u);
  EXPECT_NEAR(p.target().at(":z true :v [1 2] "), 0.5 * 0.5 * 0.75, 1e-15);
  EXPECT_NEAR(p.target().at(":z false :v [3] "), 0.5 * 0.5 * 0.25, 1e-15);
}

TEST(Target, Points) {
  Program p(kPoints);
  ASSERT_EQ(p.target().size(), 4u);
  EXPECT_NEAR(p.target().at(":z false :f true "), 0.75 * 0.25 * 0.75, 1e-15);
}

TEST(Target, Methods) {
  Program p(kMethods);
  ASSERT_EQ(p.target().size(), 8u);
  EXPECT_NEAR(p.target().at(":a true :u true :w false "), 0.5 * 0.75 * 0.75 * 0.75 * 0.25, 1e-15);
}

TEST(Target, PutOff) {
  Program p(kPutOff);
  ASSERT_EQ(p.target().size(), 3u);
  EXPECT_NEAR(p.target().at(":k 0 :w 0 "), 0.5 * 0.25 * 0.75, 1e-15);
  EXPECT_NEAR(p.target().at(":k 1 :w 1 "), 0.5 * 0.75 * 2 / 3.0 * 0.25, 1e-15);
}

// --- engines with evidence ---

struct WeightedCase {
  const char* name;
  const char* program;
  const char* engine;
  Options options;
  unsigned cells;
};
const Options kDelayed = {{"delayed", "true"}};
const Options kTwoDelayed = {{"number-of-particles", "2"}, {"delayed", "true"}};
// With half of the draws from their distributions, four cells of a uniform number are enough.
const Options kLais = {
    {"number-of-chains", "2"}, {"steps", "0"}, {"burn", "0"}, {"prior-share", "0.5"}};
const Options kLaisOne = {
    {"number-of-chains", "1"}, {"steps", "0"}, {"burn", "0"}, {"prior-share", "0.5"}};
const Options kLaisMoves = {
    {"number-of-chains", "1"}, {"steps", "1"}, {"burn", "1"}, {"prior-share", "0.5"}};
class Weighted : public ::testing::TestWithParam<WeightedCase> {};

TEST_P(Weighted, OutputIsTheUnnormalisedTarget) {
  const WeightedCase& c = GetParam();
  Program program(c.program);
  std::size_t leaves = 0;
  const std::vector<double> got =
      weighted_output(program, c.engine, c.options, c.cells, {}, &leaves);
  expect_target(program, got, 1);
  EXPECT_NEAR(got.back(), program.evidence(), kTolerance) << "evidence";
  EXPECT_GT(leaves, 1u);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, Weighted,
    ::testing::Values(
        WeightedCase{"importance", kJump, "importance", {}, 4},
        WeightedCase{"importance_methods", kMethods, "importance", {}, 4},
        WeightedCase{"smc_methods", kMethods, "smc", {{"number-of-particles", "2"}}, 4},
        WeightedCase{"rejection", kTwoState, "rejection", {}, 16},
        WeightedCase{"smc_systematic", kTwoState, "smc", {{"number-of-particles", "2"}}, 4},
        WeightedCase{"smc_multinomial",
                     kTwoState,
                     "smc",
                     {{"number-of-particles", "2"}, {"resampling", ":multinomial"}},
                     4},
        WeightedCase{"smc_stratified",
                     kTwoState,
                     "smc",
                     {{"number-of-particles", "2"}, {"resampling", ":stratified"}},
                     4},
        WeightedCase{"smc_residual",
                     kTwoState,
                     "smc",
                     {{"number-of-particles", "2"}, {"resampling", ":residual"}},
                     4},
        WeightedCase{"smc_three", kTwoState, "smc", {{"number-of-particles", "3"}}, 630},
        WeightedCase{"smc_sometimes",
                     kTwoState,
                     "smc",
                     {{"number-of-particles", "2"}, {"ess-threshold", "0.9"}},
                     4},
        WeightedCase{"smc_never",
                     kTwoState,
                     "smc",
                     {{"number-of-particles", "2"}, {"ess-threshold", "0.5"}},
                     4},
        WeightedCase{"smc_uneven", kUneven, "smc", {{"number-of-particles", "2"}}, 12},
        WeightedCase{"smc_uneven_multinomial",
                     kUneven,
                     "smc",
                     {{"number-of-particles", "2"}, {"resampling", ":multinomial"}},
                     12},
        WeightedCase{
            "smc_hoist", kLate, "smc", {{"number-of-particles", "2"}, {"hoist", ":true"}}, 4},
        WeightedCase{"pcascade_hoist",
                     kLateTwoState,
                     "pcascade",
                     {{"number-of-particles", "2"}, {"hoist", ":true"}},
                     12},
        WeightedCase{"smc_chain", kChain, "smc", {{"number-of-particles", "2"}}, 4},
        WeightedCase{
            "smc_move", kTwoState, "smc", {{"number-of-particles", "2"}, {"move", "1"}}, 12},
        WeightedCase{"smc_move_uneven",
                     kUnevenHalves,
                     "smc",
                     {{"number-of-particles", "2"}, {"move", "1"}},
                     12},
        WeightedCase{"anneal",
                     kQuarter,
                     "anneal",
                     {{"number-of-particles", "2"},
                      {"number-of-chains", "1"},
                      {"temperatures", "2"},
                      {"move", ":single-site"},
                      {"noise", ":none"},
                      {"steps", "1"}},
                     12},
        WeightedCase{"anneal_two_chains",
                     kQuarter,
                     "anneal",
                     {{"number-of-particles", "2"},
                      {"number-of-chains", "2"},
                      {"temperatures", "2"},
                      {"move", ":single-site"},
                      {"noise", ":none"},
                      {"steps", "1"}},
                     12},
        WeightedCase{"anneal_jump",
                     kQuarterJump,
                     "anneal",
                     {{"number-of-particles", "2"},
                      {"number-of-chains", "1"},
                      {"temperatures", "2"},
                      {"move", ":single-site"},
                      {"noise", ":none"},
                      {"steps", "1"}},
                     12},
        WeightedCase{"lais", kTwoState, "lais", kLais, 4},
        WeightedCase{"lais_chain_moves", kQuarter, "lais", kLaisMoves, 4},
        WeightedCase{"lais_jump", kJump, "lais", kLaisOne, 4},
        WeightedCase{"bbvb", kTwoState, "bbvb", {{"number-of-particles", "2"}}, 16},
        WeightedCase{"bbvb_jump", kQuarterJump, "bbvb", {{"number-of-particles", "1"}}, 16},
        WeightedCase{"pcascade", kTwoState, "pcascade", {{"number-of-particles", "2"}}, 12},
        WeightedCase{"importance_delayed", kPutOff, "importance", kDelayed, 12},
        WeightedCase{"importance_delayed_jump", kJump, "importance", kDelayed, 12},
        WeightedCase{"importance_delayed_lengths", kLengths, "importance", kDelayed, 12},
        WeightedCase{"importance_delayed_points", kPoints, "importance", kDelayed, 12},
        WeightedCase{"importance_delayed_methods", kMethods, "importance", kDelayed, 12},
        WeightedCase{"smc_delayed", kPutOff, "smc", kTwoDelayed, 12},
        WeightedCase{"smc_delayed_chain", kChain, "smc", kTwoDelayed, 12},
        WeightedCase{"pcascade_delayed", kPutOff, "pcascade", kTwoDelayed, 12}),
    [](const auto& info) { return info.param.name; });

// --- chains ---

const Options kRecorded = {{"recording", ":always"}};

struct ChainCase {
  const char* name;
  const char* program;
  const char* engine;
  Options options;
  std::size_t steps;  // the last one is looked at
  unsigned cells;
};
class Chain : public ::testing::TestWithParam<ChainCase> {};

TEST_P(Chain, LeavesTheTargetAsItIs) {
  const ChainCase& c = GetParam();
  Program program(c.program);
  const std::vector<double> got = chain_output(program, c.engine, c.options, c.steps, c.cells, {});
  expect_target(program, got, 1 / program.evidence());
}

INSTANTIATE_TEST_SUITE_P(
    Engines, Chain,
    ::testing::Values(
        ChainCase{"pimh_first", kTwoState, "pimh", {{"number-of-particles", "2"}}, 1, 4},
        ChainCase{"pimh", kTwoState, "pimh", {{"number-of-particles", "2"}}, 2, 36},
        ChainCase{"pgibbs_first", kUneven, "pgibbs", {{"number-of-particles", "2"}}, 1, 12},
        ChainCase{"pgibbs", kTwoState, "pgibbs", {{"number-of-particles", "2"}}, 2, 4},
        ChainCase{"pgibbs_systematic",
                  kTwoState,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"resampling", ":systematic"}},
                  2,
                  12},
        ChainCase{"pgibbs_uneven",
                  kUneven,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"resampling", ":systematic"}},
                  2,
                  12},
        ChainCase{
            "pgibbs_rejuvenate",
            kTwoState,
            "pgibbs",
            {{"number-of-particles", "2"}, {"resampling", ":systematic"}, {"rejuvenate", "1"}},
            2,
            12},
        ChainCase{"pgas", kTwoState, "pgas", {{"number-of-particles", "2"}}, 2, 4},
        ChainCase{"pgibbs_chain",
                  kChain,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"resampling", ":systematic"}},
                  2,
                  12},
        ChainCase{
            "pimh_hoist", kLate, "pimh", {{"number-of-particles", "2"}, {"hoist", ":true"}}, 1, 4},
        ChainCase{"pgibbs_hoist",
                  kLate,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"resampling", ":systematic"}, {"hoist", ":true"}},
                  2,
                  12},
        ChainCase{
            "pgas_hoist", kLate, "pgas", {{"number-of-particles", "2"}, {"hoist", ":true"}}, 1, 20},
        // Parameters: the draw before the first observe (its distribution is the same in all
        // particles), and the one after it, whose distribution depends on the path.
        ChainCase{"pgibbs_parameters",
                  kUneven,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"parameters", ":auto"}, {"parameter-moves", "1"}},
                  2,
                  12},
        ChainCase{"pgibbs_late_parameter",
                  kLateParameter,
                  "pgibbs",
                  {{"number-of-particles", "2"}, {"parameters", "[:y]"}, {"parameter-moves", "1"}},
                  2,
                  12},
        ChainCase{"pgas_parameters",
                  kUneven,
                  "pgas",
                  {{"number-of-particles", "2"}, {"parameters", ":auto"}, {"parameter-moves", "1"}},
                  2,
                  12},
        ChainCase{"ipmcmc_parameters",
                  kUneven,
                  "ipmcmc",
                  {{"number-of-nodes", "2"},
                   {"number-of-csmc-nodes", "1"},
                   {"number-of-particles", "2"},
                   {"parameters", ":auto"},
                   {"parameter-moves", "1"}},
                  1,
                  12},
        ChainCase{"pgas_chain", kChain, "pgas", {{"number-of-particles", "2"}}, 2, 20},
        ChainCase{"pgas_uneven", kUneven, "pgas", {{"number-of-particles", "2"}}, 2, 12},
        ChainCase{
            "ipmcmc",
            kTwoState,
            "ipmcmc",
            {{"number-of-nodes", "2"}, {"number-of-csmc-nodes", "1"}, {"number-of-particles", "2"}},
            1,
            4},
        ChainCase{"pimh_delayed", kPutOff, "pimh", kTwoDelayed, 2, 12},
        ChainCase{"pgibbs_delayed", kPutOff, "pgibbs", kTwoDelayed, 2, 12},
        ChainCase{"pgas_delayed", kPutOff, "pgas", kTwoDelayed, 2, 12},
        ChainCase{"ipmcmc_delayed",
                  kPutOff,
                  "ipmcmc",
                  {{"number-of-nodes", "2"},
                   {"number-of-csmc-nodes", "1"},
                   {"number-of-particles", "2"},
                   {"delayed", "true"}},
                  1,
                  12},
        ChainCase{"lmh_first", kJump, "lmh", {}, 1, 4},
        ChainCase{"lmh_jump", kJump, "lmh", {}, 2, 12},
        ChainCase{"lmh_shrink", kShrink, "lmh", {}, 2, 12},
        ChainCase{"lmh_methods", kMethods, "lmh", {}, 2, 36},
        ChainCase{"lmh_lengths", kLengths, "lmh", {}, 2, 12},
        ChainCase{"almh_lengths", kLengths, "almh", {}, 2, 12},
        ChainCase{"rmh_lengths", kLengths, "rmh", {}, 2, 12},
        ChainCase{"lmh_points", kPoints, "lmh", {}, 2, 12},
        ChainCase{"lmh_two_steps", kUneven, "lmh", {}, 3, 12},
        ChainCase{"lmh_named", kNamed, "lmh", {}, 2, 36},
        ChainCase{"lmh_recorded", kTwoState, "lmh", kRecorded, 3, 12},
        ChainCase{"lmh_recorded_jump", kJump, "lmh", kRecorded, 2, 12},
        ChainCase{"lmh_recorded_shrink", kShrink, "lmh", kRecorded, 2, 12},
        ChainCase{"lmh_recorded_lengths", kLengths, "lmh", kRecorded, 2, 12},
        ChainCase{"lmh_recorded_points", kPoints, "lmh", kRecorded, 2, 12},
        ChainCase{"lmh_recorded_two_steps", kUneven, "lmh", kRecorded, 3, 12},
        ChainCase{"almh_recorded_jump", kJump, "almh", kRecorded, 2, 12},
        ChainCase{"almh_jump", kJump, "almh", {}, 2, 12},
        ChainCase{"rmh_shrink", kShrink, "rmh", {}, 2, 12}),
    [](const auto& info) { return info.param.name; });

// --- what an adaptive chain has learnt ---

// For every warm-up of one step (preferences 1 or 1/2), the resulting kernel, restarted: a first
// state has the prior distribution, whatever was learnt.
TEST(Frozen, KernelLeavesTheTargetAsItIs) {
  Program program(kUneven);
  constexpr unsigned kCells = 36, kLooks = 32;
  const std::map<std::string, double> prior = {
      {":a false ", 0.5}, {":a true :b false ", 0.25}, {":a true :b true ", 0.25}};
  const std::vector<double> got = expectation(
      [&](FixedSource& source) {
        const chancel::RunSetup setup = program.setup(&source);
        chancel::WorkerPool workers(setup, nullptr, ~std::size_t{0});
        chancel::SingleSiteSettings settings;
        settings.adaptive = true;
        settings.warmup = 1;
        chancel::SingleSiteChain chain(workers, 0, setup.name, settings);
        const auto state = [&] { return state_text(chain.trace().predicts()); };
        Outcome out;
        out.values.assign(program.target().size(), 0);
        EXPECT_TRUE(chain.start());
        out.signature = state();
        EXPECT_TRUE(chain.step());
        out.signature += state();
        chain.freeze();
        EXPECT_EQ(chain.proposals(), 0u);
        EXPECT_TRUE(chain.start());
        const std::string first = state();
        EXPECT_TRUE(chain.step());
        out.signature += first + state();
        out.values[program.index(state())] =
            program.target().at(first) / prior.at(first) / program.evidence();
        return out;
      },
      kCells, kLooks);
  expect_target(program, got, 1 / program.evidence());
}

}  // namespace
}  // namespace exact
