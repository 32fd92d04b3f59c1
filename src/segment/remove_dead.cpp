// SPDX-License-Identifier: Apache-2.0
// Removes instructions and block parameters that nothing needs.
#include <algorithm>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"

namespace chancel::segment {

void remove_dead(Function& f) {
  const Dominators dominators(f);
  std::vector<bool> needed(f.values.size());
  std::vector<ValueId> open;
  const auto need = [&](ValueId v) {
    if (needed[v]) return;
    needed[v] = true;
    open.push_back(v);
  };
  std::vector<const Instruction*> made_by(f.values.size(), nullptr);
  std::vector<std::pair<BlockId, std::size_t>> parameter_of(f.values.size(), {kNoBlock, 0});
  for (const BlockId b : dominators.order()) {
    const Block& block = f.blocks[b];
    for (std::size_t k = 0; k < block.parameters.size(); ++k)
      parameter_of[block.parameters[k]] = {b, k};
    for (const Instruction& i : block.code) {
      if (i.result != kNoValue) made_by[i.result] = &i;
      if (i.opcode == Opcode::Jump || (i.result != kNoValue && about(i.opcode).removable()))
        continue;
      for (const ValueId v : i.operands) need(v);
      if (i.result != kNoValue) need(i.result);
    }
  }
  while (!open.empty()) {
    const ValueId v = open.back();
    open.pop_back();
    if (made_by[v])
      for (const ValueId o : made_by[v]->operands) need(o);
    const auto [b, k] = parameter_of[v];
    if (b == kNoBlock) continue;
    for (const BlockId p : dominators.predecessors()[b]) need(f.blocks[p].code.back().operands[k]);
  }
  for (BlockId b = 0; b < f.blocks.size(); ++b) {
    Block& block = f.blocks[b];
    if (!dominators.reachable(b)) {
      block.code.clear();
      block.parameters.clear();
      continue;
    }
    for (std::size_t k = block.parameters.size(); k-- > 0;) {
      if (needed[block.parameters[k]]) continue;
      block.parameters.erase(block.parameters.begin() + static_cast<std::ptrdiff_t>(k));
      for (const BlockId p : dominators.predecessors()[b]) {
        auto& operands = f.blocks[p].code.back().operands;
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    std::erase_if(block.code, [&](const Instruction& i) {
      return i.result != kNoValue && about(i.opcode).removable() && !needed[i.result];
    });
  }
}

}  // namespace chancel::segment
