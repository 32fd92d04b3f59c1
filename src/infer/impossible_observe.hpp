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

// An observe that the first calls of all executions, up to `most` of each, reach with nil, such as an empty cell of a
// data file, which its distribution never scores: no engine can help. Or the failure of a function that all executions
// give nil, with the empty cell. Costs one execution, or that many calls, where there is none.
std::optional<Diagnostic> find_missing_value(const RunSetup& setup, std::uint64_t most);

}  // namespace chancel
