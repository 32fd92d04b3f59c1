// SPDX-License-Identifier: Apache-2.0
// Forms that programs make while they run: eval compiles them, macroexpand shows what macros make of them. From any
// thread: both take a lock.
#pragma once
#include "session/session.hpp"

namespace chancel {

// A function of no arguments that evaluates the form; with an image, for code that runs against it (eval inside a query).
Value compile_form(Session& session, NativeContext& cx, const Value& form, Image* image);

// What the macro at the head of a form makes of it, once or as often as there is one.
Value macroexpand(Session& session, NativeContext& cx, const Value& form, bool once);

}  // namespace chancel
