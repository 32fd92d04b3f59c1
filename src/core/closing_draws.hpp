// SPDX-License-Identifier: Apache-2.0
// Which draws of a query no observe follows, in any execution: gradient engines leave them out of the density and
// draw them for each output. From the text alone, and conservative: a draw is listed when it stands outside all
// functions and loops of the query in which something is observed, and what is evaluated after it neither observes
// nor mentions a value that may hold an observing function (a memoised one, one that a call has returned). The same
// place in the text must have the property wherever it was expanded to. Cost: linear in the text, times the depth of
// nested lets.
#pragma once
#include <vector>

#include "core/core.hpp"

namespace chancel::core {

// The places of such samples.
std::vector<Span> closing_draws(const std::vector<Node*>& program, const Name* query);

}  // namespace chancel::core
