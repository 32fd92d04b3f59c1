// SPDX-License-Identifier: Apache-2.0
// Strings and numbers as JSON text, written straight into a string. A number that JSON cannot say
// is one of the strings "NaN", "Infinity", "-Infinity".
#pragma once
#include <string>
#include <string_view>

namespace chancel::report {

void append_json_string(std::string& out, std::string_view text);
void append_json_number(std::string& out, double value);
// (str label): a label that is a string loses its quotes.
std::string label_text(const std::string& printed);

}  // namespace chancel::report
