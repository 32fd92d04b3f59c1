// SPDX-License-Identifier: Apache-2.0
// Data for queries: --value EDN and --data FILE (JSON, EDN, CSV with a header). Names bind to the
// query's parameters.
#pragma once
#include <optional>
#include <string>

#include "api/session.hpp"

namespace chancel {
// A file's text as a value in the session's heap, by the file's ending. Nothing: see the session's
// diagnostics.
std::optional<Value> read_data(Session& session, const std::string& file_name,
                               const std::string& text);
// A map of names as the query's argument: a vector in the order of the parameters. Missing and
// extra names are errors.
std::optional<Value> bind_names(Session& session, const QuerySignature& query, const Value& map);
}  // namespace chancel
