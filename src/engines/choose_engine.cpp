// SPDX-License-Identifier: Apache-2.0
// See choose_engine.hpp.
#include "engines/choose_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/symbol.hpp"
#include "engines/check_options.hpp"
#include "engines/enumeration_trial.hpp"
#include "engines/linked_draws.hpp"
#include "engines/registry.hpp"
#include "gradient/recording_trial.hpp"
#include "math/elementary.hpp"
#include "single_site/partition_chain.hpp"

namespace chancel {

namespace {

// Streams of the survey and the trials: the same for every seed, so that the choice is.
constexpr StreamName kChoiceStream{0x204};
// Draws that follow observes: fewer are chance, or a last draw that nothing observes.
constexpr std::size_t kAlternate = 3;
const double kLogMostOutcomes = math::log(1e5);
constexpr std::size_t kLongSeries = 30, kFewParameters = 10;
constexpr std::uint64_t kLongestRound = 1000;  // steps
constexpr unsigned kRecordings = 5;            // of queries whose executions differ

bool takes(const EngineDef& engine, const std::vector<OptionValue>& options) {
  DiagnosticSink problems;
  return check_options(engine, options, problems).has_value();
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Those that no gradient moves are drawn afresh. A line about none would say less.
std::size_t moving_draws(const Survey& s) {
  return s.generated < s.continuous ? s.continuous - s.generated : s.continuous;
}

EngineChoice enumeration(const EnumerationTrial& trial) {
  const std::string outcomes = "enumerate: " + counted(trial.executions, "outcome");
  if (trial.complete) return {"enumerate", {}, outcomes};
  return {"enumerate",
          {{"left-out", Value::real(kNegligible)}},
          fmt::format("{}, all but {:g} of the probability", outcomes, kNegligible)};
}

// A few executions do not show that every one can be recorded: rmh takes the chains that meet another.
OptionValue if_refused() { return {"refused", Value::keyword(intern("rmh"))}; }

EngineChoice nuts_choice(const std::string& why) {
  return {"nuts", {if_refused()}, "engine nuts: " + why};
}

// Nuts for draws that have a gradient, single-site steps for the others.
EngineChoice mixed_choice(const std::string& why) {
  return {"nuts", {{"others", Value::keyword(intern("lmh"))}, if_refused()}, "lmh+nuts: " + why};
}

// The survey may not show what one execution in a hundred does. A chain seldom comes to draws that have to fit all at
// once, and where it never does, nothing shows it; a population from the prior has them.
bool rarely_makes_other_draws(const RunSetup& setup, const Survey& s) {
  constexpr std::uint64_t kMost = 1000, kWork = 400000;  // executions, applications of all
  if (!s.fixed || s.continuous == 0 || s.draws() > kPopulationDraws || setup.pointwise)
    return false;
  const std::uint64_t each = std::max<std::uint64_t>(1, s.applications / kSurveyed);
  const std::uint64_t executions = std::min(kMost, kWork / each);
  return executions > kSurveyed &&
         !take_survey(setup, static_cast<unsigned>(executions)).same_draws;
}

// Continuous draws alone, or beside others.
EngineChoice by_recording(const RunSetup& setup, const Survey& s) {
  // Without other draws, comparisons alone decide which way an execution takes, and one recording shows them.
  const bool one_way = s.fixed && s.discrete + s.other == 0;
  const RecordingTrial trial = try_recording(setup, one_way ? 1 : kRecordings);
  // A population from the prior has many starts, where a chain looks for one.
  if (trial.few_points && s.complete && !s.improper && !s.estimated)
    return {"anneal", {}, "anneal: " + trial.against_nuts};
  if (!trial.against_nuts.empty()) return {"rmh", {}, "engine rmh: " + trial.against_nuts};
  const bool all_continuous = s.discrete + s.other == 0;
  const char* const improper = !s.improper         ? ""
                               : s.continuous == 1 ? " (improper)"
                                                   : " (some improper)";
  if (s.improper && !(all_continuous && s.fixed)) return nuts_choice("improper draws");
  if (!s.complete) return nuts_choice("continuous draws; executions from the prior fail");
  if (!all_continuous) return mixed_choice("discrete choices beside continuous draws");
  if (!s.fixed) return mixed_choice("random structure of continuous draws");
  return trial.some_held ? mixed_choice("not all of the continuous draws have a gradient")
                         : nuts_choice(counted(moving_draws(s), "continuous draw") + improper +
                                       ", fixed structure");
}

EngineChoice by_survey(const RunSetup& setup, const Survey& s, bool lists) {
  const bool from_prior = !s.observed && s.complete && !s.improper;
  // Independent draws from the prior come sooner than a long list of its executions.
  if (lists && !s.estimated && !(from_prior && s.log_outcomes > kLogMostOutcomes))
    if (const auto trial = try_enumeration(setup, s.log_outcomes)) return enumeration(*trial);
  if (from_prior) return {"importance", {}, "importance: nothing is observed, independent draws"};
  if (s.hidden) {  // only engines that never run a part of an execution again take it
    const char* const engine = setup.pointwise ? "importance" : "pgibbs";
    return {engine, {}, fmt::format("{}: random numbers that are not drawn by sample", engine)};
  }
  if (s.improper || (!s.complete && s.continuous > 0)) return by_recording(setup, s);
  if (s.estimated) return {"lmh", {}, "lmh: the probability of an observation is an estimate"};
  const PartitionFit seats =
      s.seats > 0 && !setup.pointwise ? fit_of_partition(setup) : PartitionFit::Poor;
  // A population from the prior has seatings that are likely for a factor of their own.
  const bool small = s.continuous > 0 && s.draws() <= kPopulationDraws;
  if (seats == PartitionFit::Good || (seats == PartitionFit::SeatsDecideObserves && !small))
    return {"partition", {}, "partition: clusters of a CRP, their parameters summed out"};
  if (rarely_makes_other_draws(setup, s))
    return {"anneal", {}, "anneal: a few executions in a thousand make other draws"};
  // Parameters before a sequence of discrete states are not for particles; a sequence whose very
  // draws depend on each other is. Particles do not say the score of each observe.
  const bool all_continuous = s.discrete + s.other == 0;
  const bool sequence = !all_continuous && s.alternations >= kAlternate && !setup.pointwise &&
                        draws_are_linked(setup);
  // Single-site steps take long to change a long series of discrete states, and few parameters can be
  // moved by its likelihood, if they come before it.
  const bool series = sequence && s.alternations >= kLongSeries && s.discrete >= kLongSeries &&
                      s.other == 0 && s.continuous <= kFewParameters;
  const bool parameters = s.parameters && !(series && s.remembered);
  if (parameters && series) {
    const std::string why = counted(moving_draws(s), "continuous parameter") +
                            " before a long series of discrete draws";
    if (s.fixed_bounds) return {"pmmh", {}, "pmmh: " + why};
    return {"pgibbs",
            {{"parameters", Value::keyword(intern("auto"))}},
            "pgibbs: " + why + ", with bounds that depend on other draws"};
  }
  // A chain seldom leaves a seating, or another choice that other draws depend on, be it a chain of whole sweeps. A
  // population from the prior has all of them; where draws are few it finds their shares.
  const bool by_draws = all_continuous || parameters || !sequence;
  const bool choices = s.discrete > 0 && (s.seats > 0 || (!s.fixed && by_draws));
  if (s.continuous > 0 && choices && s.draws() <= kPopulationDraws && !setup.pointwise)
    return {"anneal",
            {},
            s.seats > 0 ? "anneal: seatings decide which draws or observes there are"
                        : "anneal: discrete draws decide which others there are"};
  if (s.continuous > 0 && by_draws) return by_recording(setup, s);
  if (sequence) return {"pgibbs", {}, "pgibbs: draws and observes alternate"};
  if (s.draws() == 0)
    return {"lmh", {}, s.complete ? "lmh: no draws" : "lmh: executions from the prior fail"};
  return {"lmh", {}, "lmh: " + counted(s.discrete + s.other, "discrete draw")};
}

// The first engine that has the options, those that need no tuning first.
const EngineDef* engine_with(const std::vector<OptionValue>& options) {
  for (const char* name : {"pgibbs", "smc", "rmh"})
    if (const EngineDef* e = find_engine(name); e && takes(*e, options)) return e;
  for (const EngineDef& e : all_engines())
    if (e.automatic && takes(e, options)) return &e;
  return nullptr;
}

}  // namespace

EngineChoice choose_engine(RunSetup setup, std::vector<OptionValue> options, bool lists) {
  setup.name = kChoiceStream;
  const Survey survey = take_survey(setup);
  EngineChoice choice = by_survey(setup, survey, lists && options.empty() && !setup.pointwise);
  const EngineDef* engine = find_engine(choice.engine);
  if (!takes(*engine, options))
    if (const EngineDef* other = engine_with(options)) {
      std::string names;
      for (const OptionValue& o : options) names += fmt::format(" :{}", o.name);
      choice = {other->name, {}, fmt::format("{}: it takes{}", other->name, names)};
      engine = other;
    }
  CHANCEL_ASSERT(engine->automatic,
                 "auto chose an engine that engines.def keeps for those who name it");
  for (OptionValue& o : choice.options)
    if (std::none_of(options.begin(), options.end(),
                     [&](const OptionValue& given) { return given.name == o.name; }))
      options.push_back(o);
  choice.options = std::move(options);
  choice.survey = survey;
  if (engine->thins_by_draws())
    choice.thin = std::clamp<std::uint64_t>(survey.draws(), 1, kLongestRound);
  return choice;
}

}  // namespace chancel
