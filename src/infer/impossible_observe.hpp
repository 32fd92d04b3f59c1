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

// Where all executions, up to `most` calls of each, end for the type of a value: at an observe of nil, such as an empty
// cell of a data file, or of text where its distribution scores numbers; or in a function that is given such a value. No
// draw changes that and no engine can help. Says which cell of the data it is. Costs one execution, or that many calls,
// where there is none.
std::optional<Diagnostic> find_type_mismatch(const RunSetup& setup, std::uint64_t most);

}  // namespace chancel
