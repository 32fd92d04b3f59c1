// SPDX-License-Identifier: Apache-2.0
// Values as text, as Clojure prints them. `readable` is pr (strings quoted, characters as \c),
// otherwise print. Printed data can be read back. Distributions print as constructor calls,
// functions as #<fn name>. Any depth of nesting is printed.
#pragma once
#include <cstddef>
#include <string>

#include "value/native.hpp"
#include "value/value.hpp"

namespace chancel {

// Unrealised lazy parts make cx.need(...) (check cx.ok()).
std::string print(NativeContext& cx, const Value& v, bool readable);
// What (str v) gives: nothing for nil, the bare text of strings and characters, Infinity and NaN,
// readable otherwise (as in Clojure: (str ["a"]) has the quotes, (print ["a"]) has not).
std::string to_str(NativeContext& cx, const Value& v);
// For messages and tests: never fails; unrealised lazy parts print as "...", long output is cut at
// `limit` characters.
std::string show(const Value& v, bool readable = true, std::size_t limit = 200);
// A phrase for messages: "the integer 3", "the string \"a\"", "nil", "a vector of 3".
std::string describe(const Value& v);
// The name of a Closure, Query or Memo: "anonymous" if it has none.
std::string function_name(const Value& function);

}  // namespace chancel
