// SPDX-License-Identifier: Apache-2.0
// Library functions that need the whole session: doquery, conditional, eval.
#pragma once
#include <span>

#include "value/native.hpp"

namespace chancel {
std::span<const NativeDef> host_natives();
}
