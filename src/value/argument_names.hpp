// SPDX-License-Identifier: Apache-2.0
// What messages add about arguments: the names of those that a function takes, and what to write where a
// distribution stands and a value was wanted.
#pragma once
#include <string>
#include <string_view>

namespace chancel {

struct Value;

// To stand after "takes 2 arguments": " (mean sd)" for "[mean sd]", " ([x] or [x y])" for "[x] [x y]";
// empty where there are none to show, or too many.
std::string argument_names(std::string_view signature);
// Empty for anything but a distribution.
std::string draw_hint(const Value& v);

}  // namespace chancel
