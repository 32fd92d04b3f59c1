// SPDX-License-Identifier: Apache-2.0
// From what a user gives (--value, --data, Python's value=, NAME-value in the file) to the value
// that a query with a parameter vector is started with: one argument for each parameter, by place
// or by name. Too few and too many are errors, since a query would see nil for the first and never
// see the second, and the prior would come out as posterior.
#pragma once
#include <optional>
#include <string_view>

#include "session/session.hpp"

namespace chancel {

// A map binds by name, and so do records ([{"x": 1, "y": 2} ...]): each name gets the vector of its
// values. A vector or list binds by place; anything else is the one argument. Names that the query
// does not take are left out with a warning in `notes`. Nothing: see the session's diagnostics.
std::optional<Value> bind_arguments(Session& session, const QuerySignature& query,
                                    const std::optional<Value>& given, DiagnosticSink& notes);

}  // namespace chancel
