// SPDX-License-Identifier: Apache-2.0
// Runs a segment as it stands: the reference that emitted code must agree with, and the tier where
// there is no compiler (--tier segment). It takes and leaves a batch as emitted code does, with the
// same bits, at about the speed of the interpreter.
#pragma once
#include "segment/abi.h"
#include "segment/ir.hpp"

namespace chancel::segment {

// CN_DONE, CN_BAIL, CN_OTHER or CN_NONE (abi.h).
int evaluate(const Function& function, cn_batch* batch);

}  // namespace chancel::segment
