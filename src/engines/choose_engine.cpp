// SPDX-License-Identifier: Apache-2.0
// See choose_engine.hpp.
#include "engines/choose_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/symbol.hpp"
#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "engines/survey.hpp"
#include "gradient/recording_trial.hpp"
#include "math/elementary.hpp"
#include "single_site/partition_chain.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kMostOutcomes = 10000;
// Draws that follow observes: fewer are chance, or a last draw that nothing observes.
constexpr std::size_t kAlternate = 3;
constexpr std::size_t kLongSeries = 30, kFewParameters = 10;
constexpr std::uint64_t kLongestRound = 1000;  // steps
constexpr unsigned kRecordings = 5;            // of queries with random structure

class Count final : public Sink {
 public:
  void draw(const EngineDraw&) override {}
};

// The number of all executions, if it is small; 0 if not.
std::uint64_t count_outcomes(const RunSetup& setup) {
  DiagnosticSink problems;
  const auto engine = make_engine("enumerate", setup, {}, problems);
  constexpr std::uint64_t kMostSteps = 20 * kMostOutcomes;
  Count sink;
  while (engine->step(sink))
    if (engine->statistics().simulations > kMostOutcomes ||
        engine->statistics().particle_steps > kMostSteps)
      return 0;
  // One that contradicts the observations everywhere is for an engine to report.
  return engine->failure() ? 0 : engine->statistics().simulations;
}

bool takes(const EngineDef& engine, const std::vector<OptionValue>& options) {
  DiagnosticSink problems;
  return check_options(engine, options, problems).has_value();
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

EngineChoice nuts_choice(const std::string& why) { return {"nuts", {}, "engine nuts: " + why}; }

// Nuts for draws that have a gradient, single-site steps for the others.
EngineChoice mixed_choice(const std::string& why) {
  return {"nuts", {{"others", Value::keyword(intern("lmh"))}}, "lmh+nuts: " + why};
}

// Continuous draws alone, or beside others.
EngineChoice by_recording(const RunSetup& setup, const Survey& s) {
  const RecordingTrial trial = try_recording(setup, s.fixed ? 1 : kRecordings);
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
                         : nuts_choice(counted(s.continuous, "continuous draw") + improper +
                                       ", fixed structure");
}

EngineChoice by_survey(const RunSetup& setup, const Survey& s, bool lists) {
  if (lists && s.log_outcomes <= math::log(static_cast<double>(kMostOutcomes)) && !s.estimated)
    if (const std::uint64_t outcomes = count_outcomes(setup))
      return {"enumerate", {}, "enumerate: " + counted(outcomes, "outcome")};
  if (s.hidden) {  // only engines that never run a part of an execution again take it
    const char* const engine = setup.pointwise ? "importance" : "pgibbs";
    return {engine, {}, fmt::format("{}: random numbers that are not drawn by sample", engine)};
  }
  if (s.improper || (!s.complete && s.continuous > 0)) return by_recording(setup, s);
  if (s.estimated) return {"lmh", {}, "lmh: the probability of an observation is an estimate"};
  if (s.seats > 0 && !setup.pointwise && suits_partition(setup))
    return {"partition", {}, "partition: clusters of a CRP, their parameters summed out"};
  // Parameters before a sequence of discrete states are not for particles; a sequence whose very
  // draws depend on each other is. Particles do not say the score of each observe.
  const bool all_continuous = s.discrete + s.other == 0;
  const bool parameters = s.fixed && s.continuous_first;
  const bool sequence = s.alternations >= kAlternate && !setup.pointwise;
  // Single-site steps take long to change a long series of discrete states, and few parameters can be
  // moved by its likelihood.
  if (parameters && sequence && s.alternations >= kLongSeries && s.discrete >= kLongSeries &&
      s.other == 0 && s.continuous <= kFewParameters) {
    const std::string why =
        counted(s.continuous, "continuous parameter") + " before a long series of discrete draws";
    if (s.fixed_bounds) return {"pmmh", {}, "pmmh: " + why};
    return {"pgibbs",
            {{"parameters", Value::keyword(intern("auto"))}},
            "pgibbs: " + why + ", with bounds that depend on other draws"};
  }
  if (s.continuous > 0 && (all_continuous || parameters || !sequence))
    return by_recording(setup, s);
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
    if (!e.finds_mode && takes(e, options)) return &e;
  return nullptr;
}

}  // namespace

EngineChoice choose_engine(const RunSetup& setup, std::vector<OptionValue> options, bool lists) {
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
  for (OptionValue& o : choice.options)
    if (std::none_of(options.begin(), options.end(),
                     [&](const OptionValue& given) { return given.name == o.name; }))
      options.push_back(o);
  choice.options = std::move(options);
  if (engine->thins_by_draws())
    choice.thin = std::clamp<std::uint64_t>(survey.draws(), 1, kLongestRound);
  return choice;
}

}  // namespace chancel
