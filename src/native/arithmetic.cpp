// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons of numbers, and jumps on them.
#include <fmt/format.h>

#include <functional>

#include "native/translator.hpp"

namespace chancel::native {

bool Translator::jump_if(const Instr* at, bool when) {
  AbstractFrame& f = state_.top();
  const AbstractValue k = f.reg(at->a);
  if (k.kind == AbstractValue::Kind::Nothing) return give_up();
  if (k.is_constant() || k.type == Type::Int || k.type == Type::Double ||
      (k.type == Type::Any && k.tag != Tag::Nil)) {
    const bool truthy = k.is_constant() ? k.value.truthy() : true;
    if (truthy == when) f.pc += at->wide();
    return true;
  }
  State other = state_;
  other.top().pc += at->wide();
  branch(k.is_uniform(), (when ? "!" : "") + writer_->truth(k), std::move(other));
  return true;
}

bool Translator::arithmetic(const Instr* at) {
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
  const bool uniform = a.is_uniform() && b.is_uniform();
  const char* const sign = at->op == Op::Sub   ? "-"
                           : at->op == Op::Mul ? "*"
                           : at->op == Op::Div ? "/"
                                               : "+";
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  if (integers && (at->op == Op::Div || (a.is_constant() && b.is_constant())))
    return call_native(ext_native(at[1]), {a, b}, at->a);
  if (!integers) {
    set(at->a, writer_->compute(Type::Double, uniform,
                                fmt::format("{} {} {}", writer_->real(a), sign, writer_->real(b))));
    return true;
  }
  const char* const checked = at->op == Op::Sub   ? "__builtin_ssubl_overflow"
                              : at->op == Op::Mul ? "__builtin_smull_overflow"
                                                  : "__builtin_saddl_overflow";
  const AbstractValue k = writer_->compute(Type::Int, uniform, "0");
  writer_->guard(uniform, fmt::format("!{}({}, {}, &{})", checked, writer_->number(a),
                                      writer_->number(b), Writer::name(k.variable)));
  set(at->a, k);
  return true;
}

// Whether a stands before b, of numbers.
AbstractValue Translator::order(Op op, const AbstractValue& a, const AbstractValue& b) {
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  const auto of = [&](const auto& holds, const char* sign) {
    if (a.is_constant() && b.is_constant()) {
      const Value &x = a.value, &y = b.value;
      const auto real = [](const Value& v) {
        return v.is(Tag::Int) ? static_cast<double>(v.i) : v.d;
      };
      return AbstractValue::constant(
          Value::boolean(integers ? holds(x.i, y.i) : holds(real(x), real(y))));
    }
    return writer_->compute(
        Type::Bool, a.is_uniform() && b.is_uniform(),
        fmt::format("{} {} {}", integers ? writer_->number(a) : writer_->real(a), sign,
                    integers ? writer_->number(b) : writer_->real(b)));
  };
  switch (op) {
    case Op::Lt:
    case Op::JumpUnlessLt:
      return of(std::less<>(), "<");
    case Op::Le:
    case Op::JumpUnlessLe:
      return of(std::less_equal<>(), "<=");
    case Op::Gt:
      return of(std::greater<>(), ">");
    case Op::Ge:
      return of(std::greater_equal<>(), ">=");
    default:
      return of(std::equal_to<>(), "==");
  }
}

// Comparisons, and jumps on them.
bool Translator::compare(const Instr* at, bool jumps) {
  const std::uint32_t left = jumps ? at->a : at->b;
  const std::uint32_t right = jumps ? at->b : at->c;
  const bool equality = at->op == Op::Eq || at->op == Op::JumpUnlessEq;
  const Instr* const next = at + 1 + op_words(at->op);
  AbstractValue result;
  if (equality) {
    AbstractValue sides[] = {state_.top().reg(left), state_.top().reg(right)};
    materialize(sides);
    const AbstractValue &a = sides[0], &b = sides[1];
    const bool uniform = a.is_uniform() && b.is_uniform();
    if (a.type == b.type && a.type != Type::Any)
      result =
          writer_->compute(Type::Bool, uniform,
                           a.type == Type::Bool ? writer_->truth(a) + " == " + writer_->truth(b)
                                                : writer_->number(a) + " == " + writer_->number(b));
    else if (a.type != Type::Any && b.type != Type::Any)
      result = AbstractValue::constant(Value::boolean(false));
    else
      result =
          writer_->compute(Type::Bool, uniform,
                           fmt::format("b->equal({}, {})", writer_->boxed(a), writer_->boxed(b)));
    if (!result.is_constant() && result.type == Type::Bool &&
        (a.type == Type::Any || b.type == Type::Any))
      writer_->guard(uniform, fmt::format("{} >= 0", Writer::name(result.variable)));
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
  branch(result.is_uniform(), writer_->truth(result), std::move(other));
  return true;
}

}  // namespace chancel::native
