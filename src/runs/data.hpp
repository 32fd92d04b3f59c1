// SPDX-License-Identifier: Apache-2.0
// The file given to --data as a value: JSON, EDN, or CSV with a header (data/csv.hpp). Its format
// follows from the extension of its name, else from its first character.
#pragma once
#include <optional>
#include <string>

#include "session/session.hpp"

namespace chancel {
// In the session's heap. Nothing: see the session's diagnostics.
std::optional<Value> read_data(Session& session, const std::string& file_name,
                               const std::string& text);
}  // namespace chancel
