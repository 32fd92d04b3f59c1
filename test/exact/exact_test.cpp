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

#include "exact_cases.hpp"
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

INSTANTIATE_TEST_SUITE_P(Engines, Weighted, ::testing::ValuesIn(weighted_cases()),
                         [](const auto& info) { return info.param.name; });

// --- chains ---

class Chain : public ::testing::TestWithParam<ChainCase> {};

TEST_P(Chain, LeavesTheTargetAsItIs) {
  const ChainCase& c = GetParam();
  Program program(c.program);
  const std::vector<double> got = chain_output(program, c.engine, c.options, c.steps, c.cells, {});
  expect_target(program, got, 1 / program.evidence());
}

INSTANTIATE_TEST_SUITE_P(Engines, Chain, ::testing::ValuesIn(chain_cases()),
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
