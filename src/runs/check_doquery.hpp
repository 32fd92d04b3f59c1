// SPDX-License-Identifier: Apache-2.0
// What can be said about a call of doquery without running it: whether its engine and the options of that exist.
#pragma once
#include "core/doquery_calls.hpp"

namespace chancel {

void check_doquery(const core::DoqueryCall& call, DiagnosticSink& sink);

}  // namespace chancel
