// SPDX-License-Identifier: Apache-2.0
// The file behind --data as a value: JSON, EDN, or CSV with a header (data/csv.hpp). Its kind is
// told by the ending of its name, or by its first character where a name has none that says so.
#pragma once
#include <optional>
#include <string>

#include "api/session.hpp"

namespace chancel {
// In the session's heap. Nothing: see the session's diagnostics.
std::optional<Value> read_data(Session& session, const std::string& file_name,
                               const std::string& text);
}  // namespace chancel
