// SPDX-License-Identifier: Apache-2.0
// A program as HTML lines, coloured by what its tokens are. Tokens are cut by the reader's own
// character classes and named by its own rules, so a text is coloured as it is read; what cannot
// be read stays plain.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace chancel::page {

// One string of HTML a line, without line ends. Classes: c comment, s string or character, k
// keyword, n number, v nil and truth values, f special form or macro, d distribution or process,
// l library function.
std::vector<std::string> coloured_lines(std::string_view text);

}  // namespace chancel::page
