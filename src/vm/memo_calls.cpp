// SPDX-License-Identifier: Apache-2.0
// See memo_calls.hpp.
#include "vm/memo_calls.hpp"

#include "vm/frame.hpp"
#include "vm/machine_parts.hpp"

namespace chancel {

namespace {
constexpr unsigned kMostFrames = 1000;  // of deep recursion, the innermost ones
}

bool inside_memo(const Execution& execution) {
  if (!execution.top || execution.top->tag != Tag::Frame) return false;
  const auto* frame = static_cast<const Frame*>(execution.top);
  for (unsigned i = 0; frame && i < kMostFrames; ++i, frame = frame->below)
    if (frame->code == memo_stub()) return true;
  return false;
}

}  // namespace chancel
