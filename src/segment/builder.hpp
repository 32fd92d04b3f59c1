// SPDX-License-Identifier: Apache-2.0
// Appends instructions to the blocks of a segment, and folds what is known while it does so: the
// number in a box, conditions on constants.
//
// In straight blocks an instruction gets the rate of its operands; in others, where particles differ,
// it is executed for each particle (the pass `hoist` may find better).
#pragma once
#include <initializer_list>
#include <map>
#include <unordered_map>

#include "segment/ir.hpp"

namespace chancel::segment {

inline Type type_of(const Value& v) {
  return v.is(Tag::Bool)     ? Type::Bool
         : v.is(Tag::Int)    ? Type::Int
         : v.is(Tag::Double) ? Type::Double
                             : Type::Any;
}

class Builder {
 public:
  explicit Builder(Function& function) : f_(function) {}

  using Operands = std::vector<ValueId>;
  // What instructions have besides operands.
  struct Extra {
    std::int64_t number = 0;
    std::int64_t index = 0;
    const void* object = nullptr;
    const void* other = nullptr;
    Tag tag = Tag::Nil;
  };

  BlockId new_block(bool straight);
  void continue_in(BlockId block) { here_ = block; }
  BlockId here() const { return here_; }
  bool straight() const { return f_.blocks[here_].straight; }

  ValueId constant(const Value& v);
  ValueId integer(std::int64_t i) { return constant(Value::integer(i)); }
  ValueId parameter(BlockId block, Type type);
  ValueId emit(Opcode opcode, Operands operands = {}) {
    return emit(opcode, Extra{}, std::move(operands));
  }
  ValueId emit(Opcode opcode, Extra extra, Operands operands);
  // Of operations whose result has a type of their own.
  ValueId emit_typed(Opcode opcode, Type type, Extra extra, Operands operands);
  void effect(Opcode opcode, Operands operands = {}) {
    effect(opcode, Extra{}, std::move(operands));
  }
  void effect(Opcode opcode, Extra extra, Operands operands);

  void jump(BlockId to, Operands arguments);
  void branch(ValueId condition, BlockId then, BlockId other, BlockId merge = kNoBlock);
  void rest(RestPlan plan, Operands operands);
  void guard(ValueId condition);

  // Conversions.
  ValueId box(ValueId v);
  ValueId unbox(Type type, ValueId v);
  ValueId to_double(ValueId v);
  ValueId negation(ValueId condition);

  Rate rate(ValueId v) const { return f_[v].rate; }
  Type type(ValueId v) const { return f_[v].type; }
  bool is_constant(ValueId v) const { return f_[v].is_constant; }
  bool is_true(ValueId v) const { return is_constant(v) && f_[v].constant.truthy(); }
  bool is_false(ValueId v) const { return is_constant(v) && !f_[v].constant.truthy(); }

 private:
  ValueId new_value(Type type, Rate rate);
  Rate rate_of(Opcode opcode, const Operands& operands) const;
  Instruction& add(Opcode opcode, const Extra& extra, Operands operands);
  // The operand of the Box that made the value; kNoValue: there is none.
  ValueId boxed_from(ValueId v) const {
    const auto found = boxed_.find(v);
    return found == boxed_.end() ? kNoValue : found->second;
  }

  Function& f_;
  BlockId here_ = kNoBlock;
  std::map<std::pair<std::uint64_t, std::uint64_t>, ValueId> constants_;
  std::unordered_map<ValueId, ValueId> boxed_;
};

}  // namespace chancel::segment
