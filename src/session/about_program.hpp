// SPDX-License-Identifier: Apache-2.0
// What a session knows about the names of its program: documentation, source, metadata.
#pragma once
#include <string>

#include "session/session.hpp"

namespace chancel {

// Name, arguments and documentation of a definition, function or form, over several lines; the text of a definition.
// Empty: there is none.
std::string documentation_of(Session& session, const Name* name);
std::string source_of(Session& session, const Name* name);
// A map, or nil.
Value var_meta(Session& session, Arena& arena, const Name* name);

}  // namespace chancel
