// SPDX-License-Identifier: Apache-2.0
// Draws that are not choices of the model (rand, sample*): no trace holds them. An engine that runs parts of executions
// again either refuses them or warns of them once.
#pragma once
#include "value/native.hpp"

namespace chancel {

// Where a native may draw from. Null: not now; the native returns, and is called again or has failed.
Stream* hidden_stream(NativeContext& cx, const char* function);

}  // namespace chancel
