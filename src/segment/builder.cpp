// SPDX-License-Identifier: Apache-2.0
// See builder.hpp.
#include "segment/builder.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace chancel::segment {

BlockId Builder::new_block(bool straight) {
  f_.blocks.emplace_back().straight = straight;
  return static_cast<BlockId>(f_.blocks.size() - 1);
}

ValueId Builder::new_value(Type type, Rate rate) {
  ValueInfo& v = f_.values.emplace_back();
  v.type = type;
  v.rate = rate;
  return static_cast<ValueId>(f_.values.size() - 1);
}

ValueId Builder::constant(const Value& v) {
  const auto [at, fresh] =
      constants_.try_emplace({static_cast<std::uint64_t>(v.tag), v.bits}, kNoValue);
  if (fresh) {
    at->second = new_value(type_of(v), Rate::Batch);
    f_.values.back().is_constant = true;
    f_.values.back().constant = v;
  }
  return at->second;
}

ValueId Builder::parameter(BlockId block, Type type) {
  const ValueId v = new_value(type, Rate::Particle);
  f_.blocks[block].parameters.push_back(v);
  return v;
}

Rate Builder::rate_of(Opcode opcode, const Operands& operands) const {
  if (!straight() || !about(opcode).shareable() || f_.form >= Form::Function) return Rate::Particle;
  Rate rate = opcode == Opcode::LoadRow ? Rate::Family : Rate::Batch;
  for (const ValueId v : operands) rate = std::max(rate, f_[v].rate);
  return rate;
}

Instruction& Builder::add(Opcode opcode, const Extra& extra, Operands operands) {
  const Rate rate = rate_of(opcode, operands);
  Instruction& i = f_.blocks[here_].code.emplace_back();
  i.opcode = opcode;
  i.rate = rate;
  i.tag = extra.tag;
  i.operands = std::move(operands);
  i.number = extra.number;
  i.index = extra.index;
  i.object = extra.object;
  i.other = extra.other;
  return i;
}

ValueId Builder::emit_typed(Opcode opcode, Type type, Extra extra, Operands operands) {
  Instruction& i = add(opcode, extra, std::move(operands));
  return i.result = new_value(type, i.rate);
}

ValueId Builder::emit(Opcode opcode, Extra extra, Operands operands) {
  return emit_typed(opcode, about(opcode).result, extra, std::move(operands));
}

void Builder::effect(Opcode opcode, Extra extra, Operands operands) {
  add(opcode, extra, std::move(operands));
}

void Builder::jump(BlockId to, Operands arguments) {
  add(Opcode::Jump, {}, std::move(arguments)).targets[0] = to;
}

void Builder::branch(ValueId condition, BlockId then, BlockId other, BlockId merge) {
  Instruction& i = add(Opcode::Branch, {}, {condition});
  const bool shared = straight() && f_.form < Form::Function && merge == kNoBlock;
  i.rate = shared ? f_[condition].rate : Rate::Particle;
  i.targets = {then, other};
  i.merge = merge;
}

void Builder::rest(RestPlan plan, Operands operands) {
  f_.rests.push_back(plan);
  add(Opcode::Rest, {.number = static_cast<std::int64_t>(f_.rests.size() - 1)},
      std::move(operands));
}

void Builder::guard(ValueId condition) {
  if (is_true(condition)) return;
  effect(Opcode::Guard, {condition});
}

ValueId Builder::box(ValueId v) {
  if (f_[v].type == Type::Any) return v;
  const ValueId made = emit(Opcode::Box, {v});
  boxed_.emplace(made, v);
  return made;
}

ValueId Builder::unbox(Type type, ValueId v) {
  if (f_[v].type == type) return v;
  if (const ValueId from = boxed_from(v); from != kNoValue && f_[from].type == type) return from;
  return emit_typed(Opcode::Unbox, type, {}, {v});
}

ValueId Builder::to_double(ValueId v) {
  if (f_[v].type == Type::Double) return v;
  if (is_constant(v)) return constant(Value::real(static_cast<double>(f_[v].constant.i)));
  return emit(Opcode::ToDouble, {v});
}

ValueId Builder::negation(ValueId condition) {
  if (is_constant(condition)) return constant(Value::boolean(is_false(condition)));
  return emit(Opcode::Not, {condition});
}

}  // namespace chancel::segment
