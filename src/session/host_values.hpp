// SPDX-License-Identifier: Apache-2.0
// Values of the host heap as text and back: what users give as data and look at.
#pragma once
#include <optional>
#include <string>

#include "session/session.hpp"

namespace chancel {

// EDN text as a value. Nothing: see the session's diagnostics.
std::optional<Value> read_value(Session& session, std::string text, std::string name);
// As pr prints it, lazy parts realised. Nothing: that failed, see the session's diagnostics.
std::optional<std::string> print_value(Session& session, const Value& v);
// Evaluates the lazy parts of a value that people will look at (session/shown_value.hpp). False: that failed, see the
// session's diagnostics.
bool realise_for_show(Session& session, const Value& v, bool* more);
// What a program that catches the failure would get.
Value exception_of(Session& session, const Diagnostic& failure);

}  // namespace chancel
