// SPDX-License-Identifier: Apache-2.0
// Lowering computes what is the same for a batch, or a family, once only as long as code is straight.
// From the other blocks this pass moves total instructions on such values to the end of the straight
// block that makes the last of them.
#include <algorithm>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"
#include "segment/uses.hpp"

namespace chancel::segment {

void hoist(Function& f) {
  if (f.form >= Form::Function) return;
  const Dominators dominators(f);
  std::vector<BlockId> made = made_in(f);
  for (const BlockId b : dominators.order()) {
    if (f.blocks[b].straight) continue;
    std::vector<Instruction>& code = f.blocks[b].code;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
      Instruction& i = code[at];
      Rate rate = Rate::Batch;
      BlockId to = 0;
      bool moves = about(i.opcode).total && i.opcode != Opcode::Box;
      for (const ValueId v : i.operands) {
        rate = std::max(rate, f[v].rate);
        if (f[v].is_constant) continue;
        moves = moves && f.blocks[made[v]].straight;
        if (dominators.number(made[v]) > dominators.number(to)) to = made[v];
      }
      if (moves && rate < Rate::Particle) {
        i.rate = f.values[i.result].rate = rate;
        made[i.result] = to;
        auto& there = f.blocks[to].code;
        there.insert(there.end() - 1, std::move(i));
        continue;
      }
      if (kept != at) code[kept] = std::move(i);
      ++kept;
    }
    code.resize(kept);
  }
}

}  // namespace chancel::segment
