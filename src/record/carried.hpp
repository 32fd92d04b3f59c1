// SPDX-License-Identifier: Apache-2.0
// Whether a library function may be called with nodes that stand for values of any kind: it only
// moves them about.
#pragma once
#include <functional>

#include "value/native.hpp"

namespace chancel {

using HasNodes = std::function<bool(const Value&)>;
// Nothing that the function looks at is a node, or holds one where it looks.
bool carries(NativeContext& cx, const NativeDef& native, const Value* args, std::uint32_t count,
             const HasNodes& has_nodes);
// Same arguments, same value, no effect.
bool is_pure(const NativeDef* native, const Value* now);

}  // namespace chancel
