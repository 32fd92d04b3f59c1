// SPDX-License-Identifier: Apache-2.0
// See exact_cases.hpp.
#include "exact_cases.hpp"

#include <algorithm>

#include "exact_checks.hpp"

namespace exact {

namespace {
const Options kDelayed = {{"delayed", "true"}};
const Options kTwoDelayed = {{"number-of-particles", "2"}, {"delayed", "true"}};
// With half of the draws from the program's distributions, four cells of a uniform number suffice.
const Options kLais = {
    {"number-of-chains", "2"}, {"steps", "0"}, {"burn", "0"}, {"prior-share", "0.5"}};
const Options kLaisOne = {
    {"number-of-chains", "1"}, {"steps", "0"}, {"burn", "0"}, {"prior-share", "0.5"}};
const Options kLaisMoves = {
    {"number-of-chains", "1"}, {"steps", "1"}, {"burn", "1"}, {"prior-share", "0.5"}};
const Options kRecorded = {{"recording", ":always"}};
}  // namespace

const std::vector<WeightedCase>& weighted_cases() {
  static const std::vector<WeightedCase> cases = {
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
      WeightedCase{"smc_move", kTwoState, "smc", {{"number-of-particles", "2"}, {"move", "1"}}, 12},
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
      WeightedCase{"bbvb_jump", kQuarterJump, "bbvb", {{"number-of-particles", "2"}}, 16},
      // The second execution is proposed from what the first one met: other supports, other
      // probabilities at several draws, another type, draws that were not there.
      WeightedCase{"bbvb_shrink", kShrink, "bbvb", {{"number-of-particles", "2"}}, 48},
      WeightedCase{"bbvb_lengths", kLengths, "bbvb", {{"number-of-particles", "2"}}, 16},
      WeightedCase{"bbvb_cascade", kCascade, "bbvb", {{"number-of-particles", "2"}}, 16},
      WeightedCase{"bbvb_types", kTypes, "bbvb", {{"number-of-particles", "2"}}, 16},
      WeightedCase{"pcascade", kTwoState, "pcascade", {{"number-of-particles", "2"}}, 12},
      WeightedCase{"importance_delayed", kPutOff, "importance", kDelayed, 12},
      WeightedCase{"importance_delayed_jump", kJump, "importance", kDelayed, 12},
      WeightedCase{"importance_delayed_lengths", kLengths, "importance", kDelayed, 12},
      WeightedCase{"importance_delayed_points", kPoints, "importance", kDelayed, 12},
      WeightedCase{"importance_delayed_methods", kMethods, "importance", kDelayed, 12},
      WeightedCase{"smc_delayed", kPutOff, "smc", kTwoDelayed, 12},
      WeightedCase{"smc_delayed_chain", kChain, "smc", kTwoDelayed, 12},
      WeightedCase{"pcascade_delayed", kPutOff, "pcascade", kTwoDelayed, 12}};
  return cases;
}

const std::vector<ChainCase>& chain_cases() {
  static const std::vector<ChainCase> cases = {
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
      ChainCase{"pgibbs_rejuvenate",
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
      // Parameters: the draw before the first observe (its distribution is the same in all particles), and the
      // one after it, whose distribution depends on the path.
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
      ChainCase{"plmh_jump", kJump, "plmh", {{"number-of-threads", "1"}}, 2, 12},
      ChainCase{"palmh_jump", kJump, "palmh", {{"number-of-threads", "1"}}, 2, 12},
      ChainCase{"almh_jump", kJump, "almh", {}, 2, 12},
      ChainCase{"rmh_shrink", kShrink, "rmh", {}, 2, 12}};
  return cases;
}

bool is_enumerated(const std::string& engine) {
  const auto has = [&](const auto& cases) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const auto& c) { return engine == c.engine; });
  };
  return engine == "enumerate" || has(weighted_cases()) || has(chain_cases());
}

}  // namespace exact
