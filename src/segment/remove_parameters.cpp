// SPDX-License-Identifier: Apache-2.0
// Lowering gives a block all values that vary as parameters; most of them are the same on all ways.
#include <algorithm>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"
#include "segment/uses.hpp"

namespace chancel::segment {

void remove_parameters(Function& f) {
  const Dominators dominators(f);
  Replacements replaced(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId b : dominators.order()) {
      Block& block = f.blocks[b];
      for (std::size_t k = block.parameters.size(); k-- > 0;) {
        const ValueId parameter = block.parameters[k];
        ValueId given = kNoValue;
        bool one = true;
        for (const BlockId p : dominators.predecessors()[b]) {
          const ValueId v = replaced.of(f.blocks[p].code.back().operands[k]);
          if (v == parameter || v == given) continue;
          one = one && given == kNoValue;
          given = v;
        }
        if (!one || given == kNoValue) continue;
        replaced.replace(parameter, given);
        block.parameters.erase(block.parameters.begin() + static_cast<std::ptrdiff_t>(k));
        for (const BlockId p : dominators.predecessors()[b]) {
          auto& operands = f.blocks[p].code.back().operands;
          operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(k));
        }
        changed = true;
      }
    }
  }
  replaced.apply(f);
}

}  // namespace chancel::segment
