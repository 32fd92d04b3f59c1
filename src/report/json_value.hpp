// SPDX-License-Identifier: Apache-2.0
// Values as JSON text. Keywords and symbols become strings of their name, map keys that are not
// strings are printed, ratios become numbers, sets and sequences arrays; what has no JSON form
// (functions, distributions) is its printed text.
#pragma once
#include <string>

#include "chancel/chancel.hpp"

namespace chancel::report {

void append_json(std::string& out, const ValueView& value);

}  // namespace chancel::report
