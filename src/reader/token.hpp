// SPDX-License-Identifier: Apache-2.0
// What a bare token means: a number, nil/true/false, a keyword or a symbol. Symbols are as liberal
// as Clojure's in practice (null? set! ->x a.b/c + ... all pass); only shapes that Clojure itself
// refuses are errors.
#pragma once
#include <string_view>

#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"

namespace chancel {

// The datum, or an S005 or S006 in the sink and false. `token` is not empty.
bool parse_token(std::string_view token, Span span, Datum& out, DiagnosticSink& sink);

}  // namespace chancel
