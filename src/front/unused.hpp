// SPDX-License-Identifier: Apache-2.0
// A warning (F013) for distributions that are made and thrown away: (normal mu 1) among the
// statements of a body does nothing, where (observe (normal mu 1) y) was meant.
#pragma once
#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "front/front.hpp"

namespace chancel::front {
void warn_of_unused_distributions(core::Node* node, const GlobalNames& globals,
                                  DiagnosticSink& sink);
}  // namespace chancel::front
