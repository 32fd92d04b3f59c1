// SPDX-License-Identifier: Apache-2.0
// The order of lines for engines that weigh executions at each observe: observes come as early, and
// draws as late, as the distribution allows. In each sequence of the query (let and do, in functions
// too) the lines between two fences (core/effects.hpp) are put into this order: observes by the
// number of draws they need, those with fewer first, each after the lines it needs; then all that
// no observe needs, as written. What one observe needs beyond another makes it come later, so an
// observe that checks a draw stays before those that use the draw. Functions are left alone where
// something may catch a failure inside them, for then what has been done before it counts.
// docs/decisions/017-order-of-lines.md has the argument and the price.
#pragma once
#include "compile/compile.hpp"
#include "core/effects.hpp"

namespace chancel {

// What a query in that order is made with.
struct QueryOrder {
  const core::Definitions& definitions;
  const core::LibraryUses& uses;
  const std::vector<const core::Binding*>& captured;  // variables around the query
};

// A copy of the query in that order, or null when nothing has to move.
core::Lambda* hoist(const core::Lambda* query, const QueryOrder& order, core::NodeArena& nodes,
                    Program& program, Library& library);

// A function of these variables that makes the query; without any, the query.
core::Lambda* with_captured(core::Lambda* query, const std::vector<const core::Binding*>& captured,
                            core::NodeArena& nodes);

}  // namespace chancel
