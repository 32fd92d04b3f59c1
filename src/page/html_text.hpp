// SPDX-License-Identifier: Apache-2.0
// Text inside HTML. Whatever a program or label holds comes out as the same characters and nothing
// else.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace chancel::page {

// For text and for attribute values in double quotes.
std::string html(std::string_view text);
// JSON inside a <script> element: nothing in it can end the element.
std::string script_json(std::string_view json);
// Puts texts in the place of {{name}}, in one pass: what is put in is not looked at again. Names
// that are not there stay.
std::string fill(std::string_view form,
                 const std::map<std::string, std::string, std::less<>>& texts);

}  // namespace chancel::page
