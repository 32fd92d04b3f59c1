// SPDX-License-Identifier: Apache-2.0
// Labels whose roles a model does not tell apart, as the means of a mixture: chains that have them in
// different orders disagree about each, and agree about what does not depend on the order.
#pragma once
#include <optional>
#include <vector>

#include "report/draw_columns.hpp"

namespace chancel::report {

// Of draws of equal weights, while the frame of the columns has its weights and chains; `rows` describe their leaves in
// order. Parts of one value are tried together, then scalar labels in pairs. Cost: sorts, and only of
// labels that disagree.
std::optional<ExchangedLabels> exchanged_labels(const DrawColumns& draws,
                                                const std::vector<Estimate>& rows,
                                                const RunStatistics& statistics);

}  // namespace chancel::report
