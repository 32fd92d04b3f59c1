// SPDX-License-Identifier: Apache-2.0
// Common subexpressions, by value numbers over the dominator tree. Guards count: what was tested is
// not tested again.
#include <map>
#include <tuple>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"
#include "segment/uses.hpp"

namespace chancel::segment {

void merge_common(Function& f) {
  using Key = std::tuple<Opcode, Type, Tag, std::int64_t, std::int64_t, const void*, const void*,
                         std::vector<ValueId>>;
  const Dominators dominators(f);
  Replacements replaced(f);
  std::map<Key, std::vector<std::pair<BlockId, ValueId>>> known;
  for (const BlockId b : dominators.order()) {
    std::vector<Instruction>& code = f.blocks[b].code;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < code.size(); ++at) {
      Instruction& i = code[at];
      for (ValueId& v : i.operands) v = replaced.of(v);
      bool again = false;
      if (about(i.opcode).mergeable()) {
        const Type type = i.result == kNoValue ? Type::None : f[i.result].type;
        auto& places =
            known[{i.opcode, type, i.tag, i.number, i.index, i.object, i.other, i.operands}];
        for (const auto& [block, value] : places) {
          if (!dominators.dominates(block, b)) continue;
          if (i.result != kNoValue) replaced.replace(i.result, value);
          again = true;
          break;
        }
        if (!again) places.emplace_back(b, i.result);
      }
      if (again) continue;
      if (kept != at) code[kept] = std::move(i);
      ++kept;
    }
    code.resize(kept);
  }
  replaced.apply(f);
}

}  // namespace chancel::segment
