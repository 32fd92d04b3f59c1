// SPDX-License-Identifier: Apache-2.0
// See choose_engine.hpp.
#include "infer/choose_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/symbol.hpp"
#include "infer/recorded_density.hpp"
#include "infer/survey.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kMostOutcomes = 10000;
// Draws that follow observes: fewer are chance, or a last draw that nothing observes.
constexpr std::size_t kAlternate = 3;
constexpr std::uint64_t kLongestRound = 1000;  // steps
constexpr std::uint64_t kTryStream = 0x203;

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

EngineChoice gradient_choice(const std::string& why) { return {"nuts", {}, "engine nuts: " + why}; }

// The same for continuous draws and single-site moves for the rest, where one engine has both.
EngineChoice mixed_choice(const std::string& why) {
  const EngineDef* nuts = find_engine("nuts");
  const std::vector<OptionValue> others = {{"others", Value::keyword(intern("lmh"))}};
  if (nuts && takes(*nuts, others)) return {"nuts", others, "lmh+nuts: " + why};
  return {"rmh", {}, "engine rmh: " + why};
}

// Can all draws move along a gradient? Some laws have none that is known.
bool all_have_gradients(const RunSetup& setup) {
  bool all = true;
  const auto full = within_memory([&] {
    WorkerPool workers(setup, nullptr, setup.max_memory);
    workers.refuse_hidden_draws();
    RecordedDensity density(workers, 0);
    constexpr std::uint32_t kTries = 10;  // a first point may be far out
    for (std::uint32_t i = 0; i < kTries; ++i) {
      Stream stream(setup.name.child(kTryStream, 0), i, 0);
      const auto begun = density.begin(stream, 2);
      if (begun == RecordedDensity::Begin::Failed && density.failure()->code == Code::R014)
        all = false;
      if (begun != RecordedDensity::Begin::Ready) continue;
      all = density.held_draws() == 0;
      return;
    }
  });
  return all && !full;
}

EngineChoice by_survey(const RunSetup& setup, const Survey& s, bool lists) {
  if (lists && s.log_outcomes <= std::log(static_cast<double>(kMostOutcomes)) && !s.estimated)
    if (const std::uint64_t outcomes = count_outcomes(setup))
      return {"enumerate", {}, "enumerate: " + counted(outcomes, "outcome")};
  const bool all_continuous = s.continuous > 0 && s.discrete + s.other == 0;
  const char* const improper = !s.improper         ? ""
                               : s.continuous == 1 ? " (improper)"
                                                   : " (some improper)";
  if (s.improper && !(all_continuous && s.fixed)) return gradient_choice("improper draws");
  if (!s.complete && s.continuous > 0)
    return gradient_choice("continuous draws; executions from the prior fail");
  if (s.estimated) return {"lmh", {}, "lmh: the probability of an observation is an estimate"};
  if (all_continuous && s.fixed)
    return all_have_gradients(setup)
               ? gradient_choice(counted(s.continuous, "continuous draw") + improper +
                                 ", fixed structure")
               : mixed_choice("not all of the continuous draws have a gradient");
  if (all_continuous) return mixed_choice("random structure of continuous draws");
  // Parameters before a sequence of discrete states are not for particles; a sequence whose very
  // draws depend on each other is.
  const bool parameters = s.continuous_first && s.fixed;
  if (s.continuous > 0 && (parameters || s.alternations < kAlternate))
    return mixed_choice("discrete choices beside continuous draws");
  if (s.alternations >= kAlternate) return {"pgibbs", {}, "pgibbs: draws and observes alternate"};
  if (s.draws() == 0) return {"lmh", {}, "lmh: executions from the prior fail"};
  return {"lmh", {}, "lmh: " + counted(s.discrete + s.other, "discrete draw")};
}

// The first engine that has the options, those that need no tuning first.
const EngineDef* engine_with(const std::vector<OptionValue>& options) {
  for (const char* name : {"pgibbs", "smc", "rmh"})
    if (const EngineDef* e = find_engine(name); e && takes(*e, options)) return e;
  for (const EngineDef& e : all_engines())
    if (takes(e, options)) return &e;
  return nullptr;
}

}  // namespace

EngineChoice choose_engine(const RunSetup& setup, std::vector<OptionValue> options, bool lists) {
  const Survey survey = take_survey(setup);
  EngineChoice choice = by_survey(setup, survey, lists && options.empty());
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
  const bool single_site = choice.engine.ends_with("mh") && choice.engine != "pimh";
  if (single_site) choice.thin = std::clamp<std::uint64_t>(survey.draws(), 1, kLongestRound);
  return choice;
}

}  // namespace chancel
