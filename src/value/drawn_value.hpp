// SPDX-License-Identifier: Apache-2.0
// Which draw of a program, and a draw with its value: what engines, recordings and delayed sampling
// keep of draws, each with more of its own.
#pragma once
#include "value/equality.hpp"

namespace chancel {

// The place of a draw in the program, and the id that the program gave it (nil: none). A place may
// draw several times: such draws are distinguished by their order.
struct DrawAddress {
  std::uint32_t site = 0;
  Value id = Value::nil();
};
inline bool same_address(const DrawAddress& a, const DrawAddress& b) {
  return a.site == b.site && (a.id.is_nil() ? b.id.is_nil() : equal(a.id, b.id));
}

struct DrawnValue : DrawAddress {
  Value value = Value::nil();
  Value dist = Value::nil();  // its distribution there; nil where it is not kept
};

}  // namespace chancel
