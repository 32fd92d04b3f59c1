// SPDX-License-Identifier: Apache-2.0
// (conditional query algorithm options...): the posterior of a query's result as a distribution. Sampling it runs the inner query
// by the named engine to a fixed number of weighted draws and picks one by its weight, from a stream derived from
// the outer execution's, so that it is pure: forks and reruns of the outer execution stay independent and reproducible.
#pragma once
#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {
Value make_conditional(NativeContext& cx, const Value* args, std::uint32_t count);
extern const DistType kConditional;
}  // namespace chancel
