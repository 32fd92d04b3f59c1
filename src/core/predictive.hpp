// SPDX-License-Identifier: Apache-2.0
// Which predicts of a query are predictive: their values are computed with `(generate dist)`, or with
// a draw that is made after everything that observes. ArviZ keeps them in a group of their own, and a
// page compares them with the data. From the text alone, like core/draw_free.hpp: a label counts when
// it is a literal and all predicts that have it are predictive. Draws count as after the observes
// when they come after them in the query itself and not in the same call, loop or function.
#pragma once
#include <string>
#include <vector>

#include "core/core.hpp"

namespace chancel::core {

// Labels as printed; ":result" when the query predicts nothing and its value is predictive.
std::vector<std::string> predictive_predicts(const std::vector<Node*>& program, const Name* query);

}  // namespace chancel::core
