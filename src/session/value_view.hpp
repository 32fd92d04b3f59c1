// SPDX-License-Identifier: Apache-2.0
// The bridge between Value and the public ValueView (the same 16 bytes).
#pragma once
#include <cstring>

#include "chancel/chancel.hpp"
#include "value/heap.hpp"
#include "value/value.hpp"

namespace chancel {
struct ArgumentsAccess {
  // A copy in the arena: a map by parameter name, or the whole value.
  static Value value(const Arguments& arguments, Arena& arena);
  // Parameters that were bound one by one.
  static std::vector<std::string> names(const Arguments& arguments);
};
struct Access {
  static ValueView view(const Value& v) {
    ValueView out;
    std::memcpy(out.raw_, &v, sizeof(Value));
    return out;
  }
  static Value value(const ValueView& view) {
    Value v;
    std::memcpy(static_cast<void*>(&v), view.raw_, sizeof(Value));
    return v;
  }
};
static_assert(sizeof(ValueView) == sizeof(Value));
}  // namespace chancel
