// SPDX-License-Identifier: Apache-2.0
// Whether a value of a draw can be written down. A few bytes of a value may print as more than a machine can hold:
// ranges, and structure that is shared again and again. What is shared prints again on every path to it.
#pragma once
#include "value/native.hpp"

namespace chancel {

// False when the text of the value has no end; throws MemoryLimit when it would not fit below the heap's limit.
bool can_be_printed(NativeContext& cx, const Value& v);

}  // namespace chancel
