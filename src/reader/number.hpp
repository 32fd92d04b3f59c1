// SPDX-License-Identifier: Apache-2.0
// Number tokens: 12 -7 0x1F 017 2r101 12N; 1.5 1e3 5. .5 -.5 2M; 1/3. As in Clojure, except that a
// point may come first (the paper's programs write .5) and M gives a double: there are integers of
// any size, but no decimals.
#pragma once
#include <string_view>

#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"

namespace chancel {

// Does the token start like a number (a digit, or sign and/or point and then a digit)?
bool looks_like_number(std::string_view token);

// The number, or an S005 in the sink and false. Ratios come out reduced; 4/2 is 2.
bool parse_number(std::string_view token, Span span, Datum& out, DiagnosticSink& sink);

}  // namespace chancel
