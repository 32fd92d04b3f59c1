// SPDX-License-Identifier: Apache-2.0
// What defdist, defproc, defrecord, defprotocol and reify expand to, and the callable records that
// implement exchangeable procedures.
#pragma once
#include <span>

#include "value/native.hpp"

namespace chancel {
std::span<const NativeDef> record_natives();
}
