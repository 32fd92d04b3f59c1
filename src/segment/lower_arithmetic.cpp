// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons of numbers, and jumps on them.
#include <functional>
#include <utility>

#include "segment/lowering.hpp"

namespace chancel::segment {

bool Lowering::jump_if(const Instr* at, bool when) {
  AbstractFrame& f = state_.top();
  const AbstractValue k = f.reg(at->a);
  if (k.is_nothing()) return give_up();
  if (k.is_constant() || k.type == Type::Int || k.type == Type::Double ||
      (k.type == Type::Any && k.tag != Tag::Nil)) {
    const bool truthy = k.is_constant() ? k.value.truthy() : true;
    if (truthy == when) f.pc += at->wide();
    return true;
  }
  State other = state_;
  other.top().pc += at->wide();
  const ValueId condition = truth(k);
  branch(when ? build_->negation(condition) : condition, std::move(other));
  return true;
}

bool Lowering::arithmetic(const Instr* at) {
  const bool with_constant = at->op == Op::AddInt;
  for (const std::uint32_t reg :
       {std::uint32_t{at->b}, with_constant ? at->b : std::uint32_t{at->c}}) {
    state_.top().pc = at;  // where a fork continues
    switch (refine(reg)) {
      case Refined::Yes:
        state_.top().pc = at + 1 + op_words(at->op);
        break;
      case Refined::Forked:
        return true;
      case Refined::Never: {
        AbstractFrame& f = state_.top();
        f.pc = at + 1 + op_words(at->op);
        ++state_.applications;
        const AbstractValue second =
            with_constant
                ? AbstractValue::constant(Value::integer(static_cast<std::int16_t>(at->c)))
                : f.reg(at->c);
        return call_native(ext_native(at[1]), {f.reg(at->b), second}, at->a);
      }
    }
  }
  AbstractFrame& f = state_.top();
  const AbstractValue a = f.reg(at->b);
  const AbstractValue b =
      with_constant ? AbstractValue::constant(Value::integer(static_cast<std::int16_t>(at->c)))
                    : f.reg(at->c);
  ++state_.applications;
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  if (integers && (at->op == Op::Div || (a.is_constant() && b.is_constant())))
    return call_native(ext_native(at[1]), {a, b}, at->a);
  if (!integers) {
    const Opcode opcode = at->op == Op::Sub   ? Opcode::Sub
                          : at->op == Op::Mul ? Opcode::Mul
                          : at->op == Op::Div ? Opcode::Div
                                              : Opcode::Add;
    set(at->a, emit(opcode, {real(a), real(b)}));
    return true;
  }
  const Opcode opcode = at->op == Op::Sub   ? Opcode::SubInt
                        : at->op == Op::Mul ? Opcode::MulInt
                                            : Opcode::AddInt;
  set(at->a, emit(opcode, {plain(a), plain(b)}));
  return true;
}

// Whether a stands before b, of numbers.
AbstractValue Lowering::order(Op op, const AbstractValue& a, const AbstractValue& b) {
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  const auto of = [&](const auto& holds, Opcode opcode, bool turned) {
    if (a.is_constant() && b.is_constant()) {
      const Value &x = a.value, &y = b.value;
      const auto real_of = [](const Value& v) {
        return v.is(Tag::Int) ? static_cast<double>(v.i) : v.d;
      };
      return AbstractValue::constant(
          Value::boolean(integers ? holds(x.i, y.i) : holds(real_of(x), real_of(y))));
    }
    ValueId left = integers ? plain(a) : real(a), right = integers ? plain(b) : real(b);
    if (turned) std::swap(left, right);
    return emit(opcode, {left, right});
  };
  switch (op) {
    case Op::Lt:
    case Op::JumpUnlessLt:
      return of(std::less<>(), Opcode::Less, false);
    case Op::Le:
    case Op::JumpUnlessLe:
      return of(std::less_equal<>(), Opcode::LessEqual, false);
    case Op::Gt:
      return of(std::greater<>(), Opcode::Less, true);
    case Op::Ge:
      return of(std::greater_equal<>(), Opcode::LessEqual, true);
    default:
      return of(std::equal_to<>(), Opcode::Equal, false);
  }
}

// Comparisons, and jumps on them.
bool Lowering::compare(const Instr* at, bool jumps) {
  const std::uint32_t left = jumps ? at->a : at->b;
  const std::uint32_t right = jumps ? at->b : at->c;
  const bool equality = at->op == Op::Eq || at->op == Op::JumpUnlessEq;
  const Instr* const next = at + 1 + op_words(at->op);
  AbstractValue result;
  if (equality) {
    AbstractValue sides[] = {state_.top().reg(left), state_.top().reg(right)};
    materialize(sides);
    const AbstractValue &a = sides[0], &b = sides[1];
    if (a.is_nothing() || b.is_nothing()) return give_up();
    if (a.is_constant() && b.is_constant() && a.type != Type::Any && a.type == b.type)
      result = AbstractValue::constant(Value::boolean(
          a.type == Type::Double ? a.value.d == b.value.d : a.value.bits == b.value.bits));
    else if (a.type == b.type && a.type != Type::Any)
      result = emit(Opcode::Equal, {plain(a), plain(b)});
    else if (a.type != Type::Any && b.type != Type::Any)
      result = AbstractValue::constant(Value::boolean(false));
    else
      result = emit(Opcode::SameValue, {boxed(a), boxed(b)});
  } else {
    for (const std::uint32_t reg : {left, right}) {
      state_.top().pc = at;
      const Refined refined = refine(reg);
      if (refined == Refined::Forked) return true;
      if (refined == Refined::Never) return give_up();
    }
    state_.top().pc = next;
    const AbstractValue a = state_.top().reg(left);
    const AbstractValue b = state_.top().reg(right);
    result = order(at->op, a, b);
  }
  ++state_.applications;
  if (!jumps) {
    set(at->a, result);
    return true;
  }
  const auto offset = static_cast<std::int16_t>(at->c);
  if (result.is_constant()) {
    if (!result.value.truthy()) state_.top().pc += offset;
    return true;
  }
  State other = state_;
  other.top().pc += offset;
  branch(truth(result), std::move(other));
  return true;
}

}  // namespace chancel::segment
