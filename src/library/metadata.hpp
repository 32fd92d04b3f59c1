// SPDX-License-Identifier: Apache-2.0
// Functions that give a changed copy of their first argument, with its metadata, as Clojure's do.
#pragma once
#include "value/metadata.hpp"
#include "value/native.hpp"

namespace chancel {

template <auto kFunction>
Value keeping_meta(NativeContext& cx, const Value* args, std::uint32_t count) {
  const Value out = kFunction(cx, args, count);
  if (count == 0 || !has_meta(args[0]) || !cx.ok()) return out;
  return with_meta(*cx.arena, out, meta_of(args[0]));
}

}  // namespace chancel
