// SPDX-License-Identifier: Apache-2.0
// Library functions that work on the execution itself: store retrieve mem atom deref reset!
// %cell-... gensym sample* ...
#pragma once
#include <span>

#include "value/native.hpp"

namespace chancel {
std::span<const NativeDef> world_natives();
}  // namespace chancel
