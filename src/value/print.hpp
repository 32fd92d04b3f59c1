// SPDX-License-Identifier: Apache-2.0
// Values as text, as Clojure prints them. `readable` is pr (strings quoted, characters as \c), otherwise print/str.
// pr_str reads back for all data. Distributions print as constructor calls, functions as #<fn name>.
#pragma once
#include <cstddef>
#include <string>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

// Unrealised lazy parts make cx.need(...) (check cx.ok()).
std::string print(NativeContext& cx, const Value& v, bool readable);
// For messages and tests: never fails; unrealised lazy parts print as "...", long output is cut at `limit` characters.
std::string show(const Value& v, bool readable = true, std::size_t limit = 200);
std::string double_to_text(double d);  // Java's Double.toString: 1.0, 1.0E10, ##Inf, ##NaN
// A phrase for messages: "the integer 3", "the string \"a\"", "nil", "a vector of 3".
std::string describe(const Value& v);

}  // namespace chancel
