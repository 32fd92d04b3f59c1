// SPDX-License-Identifier: Apache-2.0
// Finds keys written twice in a map or set literal. Keys are told apart by a hash of their
// structure first, so large literals stay linear.
#pragma once
#include <cstddef>
#include <vector>

#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"

namespace chancel {

// A hash that agrees with same_data.
std::size_t structure_hash(const Datum& datum);

// Looks at every `stride`-th item; reports an S008 at each repeated one, with a note at the first.
void report_duplicates(const std::vector<Datum>& items, std::size_t stride, const char* what,
                       DiagnosticSink& sink);

}  // namespace chancel
