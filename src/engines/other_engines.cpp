// SPDX-License-Identifier: Apache-2.0
// See other_engines.hpp.
#include "engines/other_engines.hpp"

#include "engines/registry.hpp"
#include "gradient/recording_trial.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

constexpr double kMostOutcomes = 1e5;
constexpr std::size_t kAlternate = 3;     // draws that follow observes
constexpr std::size_t kMostDraws = 2000;  // of a program that is recorded to see whether it can be

bool all_continuous(const Survey& s) { return s.continuous > 0 && s.discrete + s.other == 0; }

bool has_gradient(const RunSetup& setup, const Survey& s) {
  if (!all_continuous(s) || s.hidden || s.estimated || s.draws() > kMostDraws) return false;
  const RecordingTrial trial = try_recording(setup, 1);
  return trial.against_nuts.empty() && !trial.some_held;
}

}  // namespace

OtherEngines other_engines(const RunSetup& setup, const Survey& s, const EngineDef& used) {
  OtherEngines out{s.continuous, s.discrete, s.improper, {}};
  const auto offer = [&](const char* name, const auto& takes) {
    const EngineDef* engine = find_engine(name);
    if (engine && engine->family != used.family && takes()) out.engines.push_back(engine);
  };
  const bool from_prior = s.complete && !s.improper;
  offer("enumerate", [&] { return !s.estimated && s.log_outcomes <= math::log(kMostOutcomes); });
  offer("nuts", [&] { return has_gradient(setup, s); });
  offer("pgibbs", [&] { return from_prior && s.alternations >= kAlternate; });
  offer("lmh", [&] { return s.draws() > 0 && !s.hidden; });
  // Temperatures join modes of continuous draws; of discrete ones where they are few.
  const bool few = s.continuous > 0 && s.draws() <= kPopulationDraws;
  offer("anneal",
        [&] { return from_prior && (all_continuous(s) || few) && !s.hidden && !s.estimated; });
  return out;
}

}  // namespace chancel
