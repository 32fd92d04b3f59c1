// SPDX-License-Identifier: Apache-2.0
// Objects of the batch that particles have in common when they rest. All of a batch share the one
// Common, and another batch that would make an equal one may take it instead, provided that no
// particle holds a part of it by itself: `identical?` must see one object.
#include <algorithm>
#include <utility>

#include "segment/dominators.hpp"
#include "segment/passes.hpp"

namespace chancel::segment {

namespace {

class Escapes {
 public:
  explicit Escapes(Function& f) : f_(f), dominators_(f), made_by_(f.values.size(), nullptr) {
    for (const Block& b : f.blocks)
      for (const Instruction& i : b.code)
        if (i.result != kNoValue) made_by_[i.result] = &i;
  }

  void run() {
    for (const BlockId b : dominators_.order()) {
      const Instruction& last = f_.blocks[b].code.back();
      if (last.opcode != Opcode::Rest || !f_.blocks[b].straight) continue;
      RestPlan& plan = f_.rests[static_cast<std::size_t>(last.number)];
      plan.only_common = !held(b, last, plan);
    }
  }

 private:
  // An object of the batch that the batch was not given.
  bool is_object(ValueId v) const {
    const Instruction* const by = made_by_[v];
    return !f_[v].is_constant && f_[v].type == Type::Any &&
           !(by && (by->opcode == Opcode::LoadCommon || by->opcode == Opcode::Box));
  }

  bool held(BlockId b, const Instruction& rest, const RestPlan& plan) const {
    std::vector<bool> shared(f_.values.size());
    bool more = false;
    const auto share = [&](ValueId v) {
      if (shared[v] || !is_object(v)) return;
      shared[v] = more = true;
    };
    for (std::uint32_t k = 0; k < plan.common; ++k) share(rest.operands[1 + k]);
    if (!more) return false;
    const std::vector<BlockId> before = blocks_before(b);
    // Objects that one instruction of the batch takes or makes may hold each other.
    while (std::exchange(more, false))
      for (const BlockId block : before)
        for (const Instruction& i : f_.blocks[block].code) {
          if (i.rate != Rate::Batch) continue;
          const auto is_shared = [&](ValueId v) { return v != kNoValue && shared[v]; };
          if (!is_shared(i.result) && std::none_of(i.operands.begin(), i.operands.end(), is_shared))
            continue;
          if (i.result != kNoValue) share(i.result);
          for (const ValueId v : i.operands) share(v);
        }
    for (const BlockId block : before)
      for (const Instruction& i : f_.blocks[block].code) {
        if (i.rate == Rate::Batch || !keeps(i)) continue;
        const std::size_t from = &i == &rest ? 1 + plan.common : 0;
        for (std::size_t k = from; k < i.operands.size(); ++k)
          if (shared[i.operands[k]]) return true;
      }
    return false;
  }

  // What the instruction gives, or stores, may hold an object that it takes.
  bool keeps(const Instruction& i) const {
    if (i.opcode == Opcode::Guard) return false;
    if (i.result == kNoValue) return true;
    const Type type = f_[i.result].type;
    return type == Type::Any || type == Type::Address;
  }

  // Blocks from which control may come to this one, and itself.
  std::vector<BlockId> blocks_before(BlockId b) const {
    std::vector<BlockId> out, open{b};
    std::vector<bool> met(f_.blocks.size());
    while (!open.empty()) {
      const BlockId at = open.back();
      open.pop_back();
      if (met[at]) continue;
      met[at] = true;
      out.push_back(at);
      for (const BlockId p : dominators_.predecessors()[at]) open.push_back(p);
    }
    return out;
  }

  Function& f_;
  Dominators dominators_;
  std::vector<const Instruction*> made_by_;
};

}  // namespace

void find_escapes(Function& f) { Escapes(f).run(); }

}  // namespace chancel::segment
