// SPDX-License-Identifier: Apache-2.0
// Whether all executions of a query can be listed: enumerate runs until it is done, until what is left out is
// negligible, or until its budget is spent. The budget is work, not time, so that neither the machine nor the seed
// decides; executions that hard conditions end early are part of it. A run that passes is made again by the engine
// that the choice starts: the trial keeps no draws.
#pragma once
#include <cstdint>
#include <optional>

#include "infer/engine.hpp"

namespace chancel {

// Probability of executions left out that is negligible (option :left-out of enumerate).
inline constexpr double kNegligible = 1e-9;

struct EnumerationTrial {
  std::uint64_t executions = 0;
  bool complete = true;  // else executions of a probability below kNegligible are left out
};
// Null: the budget is too small, or an execution fails. `log_outcomes`: what a survey has found (Survey).
std::optional<EnumerationTrial> try_enumeration(const RunSetup& setup, double log_outcomes);

}  // namespace chancel
