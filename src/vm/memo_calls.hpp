// SPDX-License-Identifier: Apache-2.0
// Whether an execution at rest stands inside a call of a memoised function (mem) whose value it has not stored yet.
// What is drawn there is drawn once for each list of arguments, wherever the first call happens to be. Costs one look
// at each frame of the stack, of which it sees the innermost thousand.
#pragma once
#include "vm/execution.hpp"

namespace chancel {

bool inside_memo(const Execution& execution);

}  // namespace chancel
