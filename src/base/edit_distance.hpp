// SPDX-License-Identifier: Apache-2.0
// How many typing slips separate two names: inserting, deleting or changing a byte, or swapping two
// neighbours, each counts one (optimal string alignment). Quadratic time, three rows of memory;
// names are short.
#pragma once
#include <cstddef>
#include <string_view>

namespace chancel {

// Gives up early and returns `limit` + 1 as soon as the distance must exceed `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

}  // namespace chancel
