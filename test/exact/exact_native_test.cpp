// SPDX-License-Identifier: Apache-2.0
// Native code on all its random numbers: populations and whole executions have the exact expectations that exact_test.cpp
// asks of the interpreter, to 1e-12. The numbers come from the enumerating source, in the order in which generated
// code asks for them. A case that native code has no part in fails.
#include <gtest/gtest.h>

#include "../native/counted_tier.hpp"
#include "exact_checks.hpp"
#include "native/compilation.hpp"

namespace exact {
namespace {

constexpr double kTolerance = 1e-12;

struct NativeCase {
  const char* name;
  const char* program;
  const char* engine;
  Options options;
  std::size_t steps;  // of a chain; 0: its output is weighted
  unsigned cells;
};
const Options kTwo = {{"number-of-particles", "2"}};
const Options kTwoMultinomial = {{"number-of-particles", "2"}, {"resampling", ":multinomial"}};
const Options kTwoSystematic = {{"number-of-particles", "2"}, {"resampling", ":systematic"}};

class Native : public ::testing::TestWithParam<NativeCase> {};

void expectations_are_exact(const NativeCase& c, chancel::NativeUse use) {
  Program program(c.program);
  program.run_natively(use);
  chancel::CountedTier::turns = chancel::CountedTier::futures = 0;
  const std::vector<double> got =
      c.steps == 0 ? weighted_output(program, c.engine, c.options, c.cells, {}, nullptr)
                   : chain_output(program, c.engine, c.options, c.steps, c.cells, {});
  const double scale = c.steps == 0 ? 1 : 1 / program.evidence();
  std::size_t i = 0;
  for (const auto& [state, weight] : program.target())
    EXPECT_NEAR(got[i++], weight * scale, kTolerance) << state;
  EXPECT_GT(chancel::CountedTier::turns + chancel::CountedTier::futures, 0u);
}

TEST_P(Native, ExpectationsAreExact) {
  ASSERT_FALSE(chancel::native::system_compiler().empty());
  expectations_are_exact(GetParam(), chancel::NativeUse::Always);
}
TEST_P(Native, SegmentsThatAreEvaluatedAreExact) {
  expectations_are_exact(GetParam(), chancel::NativeUse::Evaluated);
}

INSTANTIATE_TEST_SUITE_P(
    Engines, Native,
    ::testing::Values(NativeCase{"importance", kJump, "importance", {}, 0, 4},
                      NativeCase{"rejection", kTwoState, "rejection", {}, 0, 16},
                      NativeCase{"smc_systematic", kTwoState, "smc", kTwo, 0, 4},
                      NativeCase{"smc_multinomial", kTwoState, "smc", kTwoMultinomial, 0, 4},
                      NativeCase{"smc_sometimes",
                                 kTwoState,
                                 "smc",
                                 {{"number-of-particles", "2"}, {"ess-threshold", "0.9"}},
                                 0,
                                 4},
                      NativeCase{"smc_residual",
                                 kTwoState,
                                 "smc",
                                 {{"number-of-particles", "2"}, {"resampling", ":residual"}},
                                 0,
                                 4},
                      NativeCase{"smc_uneven", kUneven, "smc", kTwo, 0, 12},
                      NativeCase{"smc_chain", kChain, "smc", kTwo, 0, 4},
                      NativeCase{"pcascade", kTwoState, "pcascade", kTwo, 0, 12},
                      NativeCase{"pimh", kTwoState, "pimh", kTwo, 1, 4},
                      NativeCase{"pgibbs", kTwoState, "pgibbs", kTwo, 2, 4},
                      NativeCase{"pgibbs_systematic", kTwoState, "pgibbs", kTwoSystematic, 2, 12},
                      NativeCase{"pgibbs_uneven", kUneven, "pgibbs", kTwoSystematic, 2, 12},
                      NativeCase{"ipmcmc",
                                 kTwoState,
                                 "ipmcmc",
                                 {{"number-of-nodes", "2"},
                                  {"number-of-csmc-nodes", "1"},
                                  {"number-of-particles", "2"}},
                                 1,
                                 4},
                      NativeCase{"pgas", kTwoState, "pgas", kTwo, 2, 4}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace exact
