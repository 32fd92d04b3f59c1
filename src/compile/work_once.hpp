// SPDX-License-Identifier: Apache-2.0
// Work of a query that needs no draw is done once, when a run starts, and not by every execution:
// (map vector xs ys), (range n), (count ys). Such a part has no effect (core/effects.hpp), and its free
// variables hold data that is there before the first draw: the query's argument, what it captures,
// and other such parts. Where evaluating a part is given up, its own parts are tried, and
// what is left stays where it is, so that an execution that comes there fails, or does not end, as
// it would have. docs/decisions/025-work-done-once.md has the argument and the price.
#pragma once
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compile/compile.hpp"
#include "core/effects.hpp"

namespace chancel {

using DataByVariable = std::unordered_map<const core::Binding*, Value>;

// The same in all runs of a query.
using PartNames = std::unordered_map<const core::Node*, const core::Binding*>;

// A part that has been evaluated, and the variable that stands for it.
struct KnownPart {
  const core::Node* part;
  const core::Binding* name;
  Value value;
};

// Evaluates a part that needs these values. `function` makes a function of a vector of them
// that gives the part's value. Nothing: it has no value that is plain data, or takes too long.
using EvaluatePart =
    std::function<std::optional<Value>(const core::Node* part, const std::vector<Value>& needs,
                                       const std::function<core::Lambda*()>& function)>;

// The parts of the query that could be evaluated, in the order of the text, none inside another.
// `data`: what the query captures; its argument is in it already, or not known.
std::vector<KnownPart> evaluate_parts(core::Lambda* query, const core::Effects& effects,
                                      const DataByVariable& data, core::NodeArena& nodes,
                                      Library& library, const EvaluatePart& evaluate,
                                      PartNames& names);

// What a query is made with that has these variables in place of the parts.
struct KnownParts {
  std::vector<KnownPart> parts;
  std::vector<const core::Binding*> captured;  // variables around the query, the new ones too
};
core::Lambda* with_known_parts(const core::Lambda* query, const KnownParts& known,
                               core::NodeArena& nodes);

}  // namespace chancel
