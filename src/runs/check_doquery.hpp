// SPDX-License-Identifier: Apache-2.0
// What can be said about the inference calls of a program without running it: names of engines and
// of their options that stand in the text.
#pragma once
#include "core/core.hpp"
#include "diag/diagnostic.hpp"

namespace chancel {
// For (doquery :engine query value :option x ...) and (conditional query :engine :option x ...).
void check_doqueries(core::Node* node, DiagnosticSink& sink);
}  // namespace chancel
