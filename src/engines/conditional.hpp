// SPDX-License-Identifier: Apache-2.0
// (conditional query algorithm options...): the posterior of a query's result as a distribution.
// With :enumerate it is a table of values and exact probabilities, made when the distribution is;
// with any other engine it is sampled and observed by running the inner query again, from a stream
// derived from the outer execution's, so that it is pure: forks and reruns of the outer execution
// stay independent and reproducible. docs/engines/conditional.md says what is guaranteed for each
// engine.
#pragma once
#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {
Value make_conditional(NativeContext& cx, const Value* args, std::uint32_t count);
}  // namespace chancel
