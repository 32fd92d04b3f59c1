// SPDX-License-Identifier: Apache-2.0
// Why a run found nothing possible: executions are run again from the prior, and if all of them end
// at the same observe, that is where the program and its data disagree. Costs nothing but then.
#pragma once
#include <optional>

#include "infer/engine.hpp"

namespace chancel {

// Adds the place of the observe, its distribution and value, and what it scores. Where no draw can change
// that, as with a string, the hint is about the value instead of more work.
void explain_impossible(const RunSetup& setup, Diagnostic* diagnostic);

// An observe that all executions reach with nil, such as an empty cell of a data file, which its distribution never
// scores: no engine can help. Costs one execution where there is none.
std::optional<Diagnostic> find_missing_value(const RunSetup& setup);

}  // namespace chancel
