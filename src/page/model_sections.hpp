// SPDX-License-Identifier: Apache-2.0
// Sections of the page about the model as a whole: predictive checks, pairs of labels, gradient moves.
// Each is empty when its data are.
#pragma once
#include <string>

#include "chancel/summary.hpp"
#include "page/json_numbers.hpp"

namespace chancel::page {

std::string checks_html(const Json& checks, bool prior);
// `chosen`: not all labels that could be there are.
std::string pairs_html(const Json& pairs, bool chosen);
std::string moves_html(const Json& energy, const RunStatistics& statistics);

}  // namespace chancel::page
