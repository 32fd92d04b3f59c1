// SPDX-License-Identifier: Apache-2.0
// A value as pr prints it, cut at a number of characters: every collection shows its first elements
// and, when it has more, an ellipsis before its closing bracket, so that the shape of the whole can
// be seen.
#pragma once
#include <string>

#include "chancel/value.hpp"

namespace chancel::report {

std::string short_text(const ValueView& value, std::size_t most, bool readable = true);

}  // namespace chancel::report
