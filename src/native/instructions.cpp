// SPDX-License-Identifier: Apache-2.0
// One instruction at a time, as vm/run.cpp runs it: the same values, the same count of applications. What
// is not here, and every rare case, is left to the interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "native/translator.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel::native {

namespace {

const char* tag_text(Type type) {
  return type == Type::Bool ? "CN_BOOL" : type == Type::Int ? "CN_INT" : "CN_DOUBLE";
}

}  // namespace

void Translator::set(std::uint32_t reg, AbstractValue value) {
  AbstractFrame& f = state_.top();
  if (f.slots.size() < reg + 2u) f.slots.resize(reg + 2u);
  f.slots[reg + 1u] = std::move(value);
}

// The value after a guard that it is like its example: a number, a constant, an object of that
// kind.
AbstractValue Translator::of_example(AbstractValue k, const Value& example) {
  if (k.type != Type::Any || k.is_constant()) return k;
  k.example = example;
  if (example.is(Tag::Node)) return k;
  const bool uniform = k.is_uniform();
  const std::string v = Writer::name(k.variable);
  const Type type = type_of(example);
  if (type != Type::Any) {
    writer_->guard(uniform, fmt::format("{}.tag == {}", v, tag_text(type)));
    AbstractValue typed = writer_->compute(type, uniform, v + Writer::field(type));
    if (uniform) typed.example = example;
    return typed;
  }
  if (!uniform) {
    k.example = example;
    return k;
  }
  if (stands_still(example)) {
    const AbstractValue constant = AbstractValue::constant(example);
    writer_->guard(true, fmt::format("{0}.tag == {1}.tag && {0}.u.bits == {1}.u.bits", v,
                                     writer_->boxed(constant)));
    return constant;
  }
  writer_->guard(true, fmt::format("{}.tag == {}", v, static_cast<std::uint64_t>(example.tag)));
  if (example.is(Tag::Closure))
    writer_->guard(true, fmt::format("((cn_closure*){}.u.o)->proto == {}", v,
                                     writer_->pointer(example.as<Closure>()->function)));
  if (example.is(Tag::Dist))
    writer_->guard(true, fmt::format("((cn_dist*){}.u.o)->type == {}", v,
                                     writer_->pointer(example.as<Dist>()->type)));
  k.learn(example);
  return k;
}

AbstractValue Translator::captured(const AbstractValue& closure, std::size_t index) {
  if (closure.is_virtual()) return closure.virtual_object->values[index];
  if (closure.is_constant())
    return AbstractValue::constant(closure.value.as<Closure>()->captured[index]);
  if (closure.shape) {
    const AbstractValue& held = closure.shape->held[index];
    if (held.is_constant()) return held;
    const char* const field = held.type == Type::Any ? "" : Writer::field(held.type);
    AbstractValue k = writer_->compute(
        held.type, closure.is_uniform(),
        fmt::format("{}->captured[{}]{}", writer_->object(closure, "cn_closure"), index, field));
    k.tag = held.tag;
    k.proto = held.proto;
    k.distribution = held.distribution;
    k.process = held.process;
    k.shape = held.shape;
    return k;
  }
  const AbstractValue k = writer_->compute(
      Type::Any, closure.is_uniform(),
      fmt::format("{}->captured[{}]", writer_->object(closure, "cn_closure"), index));
  if (closure.is_uniform() && closure.example.is(Tag::Closure))
    return of_example(k, closure.example.as<Closure>()->captured[index]);
  return k;
}

Translator::Refined Translator::refine(std::uint32_t reg) {
  AbstractValue& k = state_.top().reg(reg);
  if (k.type == Type::Int || k.type == Type::Double) return Refined::Yes;
  if (k.type == Type::Bool || k.is_constant() || k.tag != Tag::Nil) return Refined::Never;
  const Type guess = k.example.is(Tag::Int) ? Type::Int : Type::Double;
  const Type other = guess == Type::Int ? Type::Double : Type::Int;
  const std::string v = Writer::name(k.variable);
  const bool uniform = k.is_uniform();
  State elsewhere = state_;
  elsewhere.top().reg(reg).example = Value::node(0);
  elsewhere.top().reg(reg).type = other;  // the variable gets the type at the other place
  const AbstractValue typed_other = [&] {
    // Read before the test: both types have eight bytes there.
    return writer_->compute(other, uniform, v + Writer::field(other));
  }();
  const AbstractValue typed = writer_->compute(guess, uniform, v + Writer::field(guess));
  writer_->guard(uniform, fmt::format("{0}.tag == CN_INT || {0}.tag == CN_DOUBLE", v));
  elsewhere.top().reg(reg) = typed_other;
  state_.top().reg(reg) = typed;
  // The instruction is met again, by both.
  branch(uniform, fmt::format("{}.tag == {}", v, tag_text(guess)), std::move(elsewhere));
  return Refined::Forked;
}

AbstractValue Translator::as_value(AbstractValue k) {
  materialize(k);
  if (k.type == Type::Any) return k;
  return writer_->compute(Type::Any, k.is_uniform(), writer_->boxed(k));
}

bool Translator::instruction(const Instr* at) {
  AbstractFrame& f = state_.top();
  switch (at->op) {
    case Op::Move:
      set(at->a, f.reg(at->b));
      return true;
    case Op::LoadConst:
      set(at->a, AbstractValue::constant(f.code->constants[static_cast<std::size_t>(at->wide())]));
      return true;
    case Op::LoadInt:
      set(at->a, AbstractValue::constant(Value::integer(at->wide())));
      return true;
    case Op::LoadNil:
      set(at->a, AbstractValue::constant(Value::nil()));
      return true;
    case Op::LoadGlobal: {
      if (unit_) {
        const AbstractValue k = global(static_cast<std::uint32_t>(at->wide()));
        if (k.kind == AbstractValue::Kind::Nothing) return give_up();
        set(at->a, k);
        return true;
      }
      const Value& global = globals_[at->wide()];
      if (Program::is_unbound(global)) return give_up();
      set(at->a, AbstractValue::constant(global));
      return true;
    }
    case Op::LoadCaptured:
      set(at->a, captured(f.slots[0], at->b));
      return true;
    case Op::LoadSelf:
      set(at->a, f.slots[0]);
      return true;
    case Op::MakeClosure:
      return make_closure(at);
    case Op::Jump:
      f.pc += at->wide();
      return true;
    case Op::LoopJump:
      ++state_.applications;
      f.pc += at->wide();
      if (writer_->straight && !loops_here()) return true;
      jump_to_head(state_, written_between(*f.code, f.pc, at));
      return false;
    case Op::JumpIfFalse:
      return jump_if(at, false);
    case Op::JumpIfTrue:
      return jump_if(at, true);
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
      return compare(at, true);
    case Op::Call:
      return call(at->b, at->c, at->a, f.pc);
    case Op::CallGlobal: {
      if (unit_) {
        const AbstractValue k = global(static_cast<std::uint32_t>(word_of(at[1])));
        if (k.kind == AbstractValue::Kind::Nothing) return give_up();
        set(at->b, k);
        return call(at->b, at->c, at->a, state_.top().pc);
      }
      const Value& global = globals_[static_cast<std::uint32_t>(word_of(at[1]))];
      if (Program::is_unbound(global)) return give_up();
      set(at->b, AbstractValue::constant(global));
      return call(at->b, at->c, at->a, f.pc);
    }
    case Op::TailCall:
      return tail_call(at);
    case Op::Return:
      return give_back(f.reg(at->a));
    case Op::Native:
    case Op::Native1:
    case Op::Native2: {
      std::vector<AbstractValue> arguments;
      if (at->op == Op::Native)
        for (std::uint32_t i = 0; i < at->c; ++i) arguments.push_back(f.reg(at->b + i));
      else
        arguments.push_back(f.reg(at->b));
      if (at->op == Op::Native2) arguments.push_back(f.reg(at->c));
      ++state_.applications;
      return call_native(ext_native(at[1]), arguments, at->a);
    }
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::AddInt:
      return arithmetic(at);
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::NumEq:
    case Op::Eq:
      return compare(at, false);
    case Op::Not:
    case Op::IsNil:
    case Op::IsReduced: {
      ++state_.applications;
      const AbstractValue k = f.reg(at->b);
      const Tag tag = at->op == Op::IsNil ? Tag::Nil : Tag::Reduced;
      if (k.is_constant()) {
        const bool yes = at->op == Op::Not ? !k.value.truthy() : k.value.is(tag);
        set(at->a, AbstractValue::constant(Value::boolean(yes)));
        return true;
      }
      std::string test =
          at->op == Op::Not ? "!" + writer_->truth(k)
          : k.type != Type::Any || (k.tag != Tag::Nil && k.tag != tag)
              ? "0"
              : fmt::format("{}.tag == {}", writer_->boxed(k), static_cast<std::uint64_t>(tag));
      if (test == "0") {
        set(at->a, AbstractValue::constant(Value::boolean(false)));
        return true;
      }
      AbstractValue b = writer_->compute(Type::Bool, k.is_uniform(), test);
      if (k.is_uniform() && k.has_example())
        b.example = Value::boolean(at->op == Op::Not ? !k.example.truthy() : k.example.is(tag));
      set(at->a, b);
      return true;
    }
    case Op::Get:
    case Op::Nth:
      ++state_.applications;
      return get(f.reg(at->b), f.reg(at->c), ext_native(at[1]), at->a);
    case Op::NthOrNil: {
      ++state_.applications;
      const AbstractValue collection = f.reg(at->b),
                          index = AbstractValue::constant(Value::integer(at->c));
      const AbstractValue nil = AbstractValue::constant(Value::nil());
      if (collection.tag != Tag::Vector)
        return call_native(ext_native(at[1]), {collection, index, nil}, at->a);
      if (collection.is_constant() && at->c >= collection.value.as<Vector>()->count) {
        set(at->a, nil);
        return true;
      }
      return get(collection, index, ext_native(at[1]), at->a);
    }
    case Op::GetCaptured: {
      ++state_.applications;
      const AbstractValue collection = captured(f.slots[0], at->b);
      return get(collection, state_.top().reg(at->c), ext_native(at[1]), at->a);
    }
    case Op::VectorNth: {
      ++state_.applications;
      const AbstractValue vector = f.reg(at->b);
      const AbstractValue index = f.reg(at->c);
      if (index.type != Type::Int || vector.is_virtual()) return give_up();
      AbstractValue k = writer_->compute(
          Type::Any, vector.is_uniform() && index.is_uniform(),
          fmt::format("cn_nth(b, {}, (uint32_t){})", writer_->object(vector, "cn_vector"),
                      writer_->number(index)));
      if (vector.has_example() && vector.example.is(Tag::Vector))
        k.example = example_element(vector.example);
      set(at->a, k);
      return true;
    }
    case Op::ReduceVector:
      return reduce_vector(at);
    case Op::Conj: {
      const AbstractValue vector = f.reg(at->b);
      AbstractValue item = f.reg(at->c);
      materialize(item);
      ++state_.applications;
      if (vector.type != Type::Any) return give_up();
      if (vector.tag != Tag::Vector) return call_native(ext_native(at[1]), {vector, item}, at->a);
      const bool uniform = vector.is_uniform() && item.is_uniform();
      writer_->guard(uniform, fmt::format("!({}->head.flags & CN_HAS_META)",
                                          writer_->object(vector, "cn_vector")));
      AbstractValue made = writer_->compute(
          Type::Any, uniform,
          fmt::format("cn_conj(b, {}, {})", writer_->boxed(vector), writer_->boxed(item)));
      made.tag = Tag::Vector;
      if (!item.is_constant()) {
        made.last = item.variable + 1;
        made.last_type = item.type;
        if (item.is_uniform() != made.is_uniform()) made.last = 0;
      }
      set(at->a, made);
      return true;
    }
    case Op::Peek: {
      const AbstractValue vector = f.reg(at->b);
      ++state_.applications;
      if (vector.tag != Tag::Vector || vector.type != Type::Any)
        return call_native(ext_native(at[1]), {vector}, at->a);
      if (vector.last) {
        AbstractValue k;
        k.kind = vector.kind;
        k.type = vector.last_type;
        k.variable = vector.last - 1;
        set(at->a, k);
        return true;
      }
      const std::string v = writer_->object(vector, "cn_vector");
      writer_->guard(vector.is_uniform(), v + "->count > 0");
      set(at->a, writer_->compute(Type::Any, vector.is_uniform(),
                                  fmt::format("cn_nth(b, {0}, {0}->count - 1)", v)));
      return true;
    }
    case Op::First:
    case Op::Rest:
    case Op::Next:
    case Op::Count:
    case Op::IsEmpty:
      ++state_.applications;
      return call_native(ext_native(at[1]), {f.reg(at->b)}, at->a);
    case Op::Cons:
      ++state_.applications;
      return call_native(ext_native(at[1]), {f.reg(at->b), f.reg(at->c)}, at->a);
    case Op::Sample: {
      if (unit_) return give_up();
      if (given_) return take_given(at);
      ++state_.applications;
      const AbstractValue distribution = f.reg(at->b);
      if (distribution.type != Type::Any) return give_up();
      const AbstractValue drawn = draw(distribution);
      set(at->a, drawn);
      return true;
    }
    case Op::SampleDirect: {
      if (unit_) return give_up();
      if (given_) return take_given(at);
      ++state_.applications;
      std::vector<AbstractValue> parameters;
      for (std::uint32_t i = 0; i < at->c; ++i) parameters.push_back(f.reg(at->b + i));
      materialize(parameters);
      const AbstractValue drawn =
          draw_direct(reinterpret_cast<const DistType*>(word_of(at[2])), parameters);
      set(at->a, drawn);
      return true;
    }
    case Op::Observe:
    case Op::ObserveDirect:
      if (unit_) return give_up();
      ++state_.applications;
      return observe(at);
    case Op::Predict:
      return unit_ ? give_up() : predict(at);
    case Op::Exit:
      return unit_ ? give_up() : finish(f.reg(at->a));
    default:
      return give_up();
  }
}

bool Translator::predict(const Instr* at) {
  AbstractFrame& f = state_.top();
  AbstractValue shown[] = {f.reg(at->a), f.reg(at->b)};
  materialize(shown);
  const AbstractValue &label = shown[0], &value = shown[1];
  if (label.kind == AbstractValue::Kind::Nothing || value.kind == AbstractValue::Kind::Nothing)
    return give_up();
  leave_family();
  for (const AbstractValue* k : {&label, &value})
    if (k->type == Type::Any && !(k->is_constant() && !k->value.is_object()))
      writer_->guard(false, fmt::format("b->realised(b, {})", writer_->boxed(*k)));
  if (given_) return true;  // the output of such a run is not used
  state_.changes_sides = true;
  writer_->line(
      fmt::format("{{ cn_predicts* const p = cn_new(b, CN_PREDICTS, sizeof(cn_predicts)); "
                  "p->previous = predicts; "
                  "p->label = {}; p->value = {}; predicts = p; }}",
                  writer_->boxed(label), writer_->boxed(value)));
  return true;
}

bool Translator::finish(AbstractValue result) {
  materialize(result);
  if (result.kind == AbstractValue::Kind::Nothing) return give_up();
  leave_family();
  if (result.type == Type::Any && !(result.is_constant() && !result.value.is_object()))
    writer_->guard(false, fmt::format("b->realised(b, {})", writer_->boxed(result)));
  if (given_) {
    end_of_given(true);
    writer_->line("b->score[i] = sum; b->to[i].top = 0; ++ended; continue;");
    return false;
  }
  writer_->line(fmt::format(
      "{{ cn_execution* const y = &b->to[i]; b->results[i] = {0}; y->top = 0; y->world = b->world; "
      "y->predicts = predicts; y->applications = applications + {1}; "
      "made += applications + {1} - x->applications; ++ended; continue; }}",
      writer_->boxed(result), state_.applications));
  worthwhile_ = true;
  exits_.ends = true;
  exits_.by_particle |= !writer_->straight;
  return false;
}

}  // namespace chancel::native
