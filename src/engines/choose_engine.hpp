// SPDX-License-Identifier: Apache-2.0
// The choice that is called auto: an engine for a query, from a survey of its executions (survey.hpp) and
// trials of engines, with one line that gives the reason. It is the same for every seed and machine: the
// survey has random streams of its own, and budgets are work. The setup's run should print nothing: the
// executions of a survey are not part of the run's output.
#pragma once
#include <string>
#include <vector>

#include "engines/survey.hpp"
#include "infer/engine.hpp"

namespace chancel {

inline constexpr const char* kAutomatic = "auto";

struct EngineChoice {
  std::string engine;
  std::vector<OptionValue> options;  // those given, and what the choice adds
  std::string text;                  // "enumerate: 27 outcomes"
  Survey survey = {};                // that it rests on
  std::uint64_t thin = 1;            // steps that together may change every draw once
};

// `options` were given for an engine that was not: the choice has them, if any engine does.
// `lists`: an engine that lists every execution once may be chosen.
EngineChoice choose_engine(RunSetup setup, std::vector<OptionValue> options, bool lists);

}  // namespace chancel
