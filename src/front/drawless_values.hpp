// SPDX-License-Identifier: Apache-2.0
// An error (F015) for distributions that stand where a draw from them was meant: as the test of an
// if, (if (flip 0.5) a b), or compared with a number or truth value, (= (flip 0.5) true). Clojure
// gives such code a meaning (every object is true, and equal to no number), so without this check
// it passes for an exact answer. And one (F002) for a function that stands for a distribution because another program
// calls one so: (sample (norm 0 1)), where norm is the length of a vector.
#pragma once
#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "front/front.hpp"

namespace chancel::front {
void refuse_drawless_values(core::Node* node, const GlobalNames& globals, DiagnosticSink& sink);
}  // namespace chancel::front
