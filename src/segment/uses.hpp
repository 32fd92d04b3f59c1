// SPDX-License-Identifier: Apache-2.0
// What passes share: where values are made, and values that stand for others.
#pragma once
#include <utility>
#include <vector>

#include "segment/ir.hpp"

namespace chancel::segment {

// The block where each value is made; kNoBlock: it is a constant.
inline std::vector<BlockId> made_in(const Function& f) {
  std::vector<BlockId> out(f.values.size(), kNoBlock);
  for (BlockId b = 0; b < f.blocks.size(); ++b) {
    for (const ValueId p : f.blocks[b].parameters) out[p] = b;
    for (const Instruction& i : f.blocks[b].code)
      if (i.result != kNoValue) out[i.result] = b;
  }
  return out;
}

// Values that are replaced by others.
class Replacements {
 public:
  explicit Replacements(const Function& f) : by_(f.values.size(), kNoValue) {}
  void replace(ValueId v, ValueId by) {
    by_[v] = by;
    any_ = true;
  }
  ValueId of(ValueId v) {
    ValueId end = v;
    while (by_[end] != kNoValue) end = by_[end];
    while (by_[v] != kNoValue) v = std::exchange(by_[v], end);
    return end;
  }
  void apply(Function& f) {
    if (!any_) return;
    for (Block& b : f.blocks)
      for (Instruction& i : b.code)
        for (ValueId& v : i.operands) v = of(v);
  }
  bool any() const { return any_; }

 private:
  std::vector<ValueId> by_;
  bool any_ = false;
};

}  // namespace chancel::segment
