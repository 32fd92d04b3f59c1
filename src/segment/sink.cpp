// SPDX-License-Identifier: Apache-2.0
// Moves what is computed for each particle, and needed on some ways only, down to the first block that
// all its uses have above them; never into a loop. Objects that escape on rare ways are allocated
// there only.
#include <algorithm>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"
#include "segment/uses.hpp"

namespace chancel::segment {

namespace {

// How many loops each block is in.
std::vector<unsigned> loop_depths(const Function& f, const Dominators& dominators) {
  std::vector<unsigned> depth(f.blocks.size());
  for (const BlockId head : dominators.order()) {
    std::vector<BlockId> open;
    for (const BlockId p : dominators.predecessors()[head])
      if (dominators.dominates(head, p)) open.push_back(p);
    if (open.empty()) continue;
    std::vector<bool> inside(f.blocks.size());
    inside[head] = true;
    while (!open.empty()) {
      const BlockId b = open.back();
      open.pop_back();
      if (inside[b]) continue;
      inside[b] = true;
      for (const BlockId p : dominators.predecessors()[b]) open.push_back(p);
    }
    for (std::size_t b = 0; b < depth.size(); ++b) depth[b] += inside[b];
  }
  return depth;
}

}  // namespace

void sink(Function& f) {
  const Dominators dominators(f);
  const std::vector<unsigned> depth = loop_depths(f, dominators);
  // The lowest block above all uses.
  std::vector<BlockId> above(f.values.size(), kNoBlock);
  const auto use = [&](ValueId v, BlockId b) {
    above[v] = above[v] == kNoBlock ? b : dominators.common(above[v], b);
  };
  const std::vector<BlockId>& order = dominators.order();
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const BlockId b = *at;
    std::vector<Instruction>& code = f.blocks[b].code;
    for (std::size_t k = code.size(); k-- > 0;) {
      const Instruction& i = code[k];
      const BlockId to = i.result == kNoValue ? kNoBlock : above[i.result];
      const bool moves = i.rate == Rate::Particle && about(i.opcode).removable() &&
                         to != kNoBlock && to != b && depth[to] <= depth[b];
      for (const ValueId v : i.operands)
        if (!f[v].is_constant) use(v, moves ? to : b);
      if (!moves) continue;
      std::vector<Instruction>& there = f.blocks[to].code;
      there.insert(there.begin(), i);
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

}  // namespace chancel::segment
