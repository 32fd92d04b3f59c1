// SPDX-License-Identifier: Apache-2.0
// One instruction at a time, as vm/run.cpp runs it: the same values, the same count of applications. What
// is not here, and every rare case, is left to the interpreter.
#include "segment/lowering.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel::segment {

void AbstractValue::learn(const Value& v) {
  tag = v.tag;
  if (v.is(Tag::Closure)) proto = proto_of(v.as<Closure>());
  if (v.is(Tag::Dist)) distribution = v.as<Dist>()->type;
  if (v.is(Tag::Process)) process = v.as<Process>()->type;
}

AbstractValue Lowering::made(Type type, ValueId id) const {
  if (build_->is_constant(id)) return AbstractValue::constant(function_[id].constant);
  AbstractValue k;
  const bool uniform = !unit_ && straight() && build_->rate(id) == Rate::Batch;
  k.kind = uniform ? AbstractValue::Kind::Uniform : AbstractValue::Kind::Varying;
  k.type = type;
  k.id = id;
  return k;
}

AbstractValue Lowering::emit(Opcode opcode, Builder::Extra extra, Builder::Operands operands) {
  return made(about(opcode).result, build_->emit(opcode, extra, std::move(operands)));
}
AbstractValue Lowering::emit_typed(Opcode opcode, Type type, Builder::Extra extra,
                                   Builder::Operands operands) {
  return made(type, build_->emit_typed(opcode, type, extra, std::move(operands)));
}
AbstractValue Lowering::unboxed(Type type, const AbstractValue& k) {
  return type == Type::Any ? k : made(type, build_->unbox(type, boxed(k)));
}

ValueId Lowering::plain(const AbstractValue& k) {
  return k.is_constant() ? build_->constant(k.value) : k.id;
}
ValueId Lowering::boxed(const AbstractValue& k) { return build_->box(plain(k)); }
ValueId Lowering::real(const AbstractValue& k) { return build_->to_double(plain(k)); }
ValueId Lowering::truth(const AbstractValue& k) {
  if (k.is_constant()) return build_->constant(Value::boolean(k.value.truthy()));
  if (k.type == Type::Bool) return k.id;
  if (k.is_virtual() || k.type != Type::Any || k.tag != Tag::Nil)
    return build_->constant(Value::boolean(true));
  return build_->emit(Opcode::Truth, {k.id});
}
Builder::Operands Lowering::all_boxed(const std::vector<AbstractValue>& values) {
  Builder::Operands out;
  for (const AbstractValue& k : values) out.push_back(boxed(k));
  return out;
}

void Lowering::set(std::uint32_t reg, AbstractValue value) {
  AbstractFrame& f = state_.top();
  if (f.slots.size() < reg + 2u) f.slots.resize(reg + 2u);
  f.slots[reg + 1u] = std::move(value);
}

// The value after a guard that it is like its example: a number, a constant, an object of that
// kind.
AbstractValue Lowering::of_example(AbstractValue k, const Value& example) {
  if (k.type != Type::Any || k.is_constant()) return k;
  k.example = example;
  if (example.is(Tag::Node)) return k;
  const bool uniform = k.is_uniform();
  const Type type = type_of(example);
  const auto has_tag = [&] { return build_->emit(Opcode::HasTag, {.tag = example.tag}, {k.id}); };
  if (type != Type::Any) {
    build_->guard(has_tag());
    AbstractValue typed = unboxed(type, k);
    if (uniform) typed.example = example;
    return typed;
  }
  if (!uniform) return k;
  if (stands_still(example)) {
    build_->guard(build_->emit(Opcode::Is, {k.id, build_->constant(example)}));
    return AbstractValue::constant(example);
  }
  build_->guard(has_tag());
  if (example.is(Tag::Closure))
    build_->guard(
        build_->emit(Opcode::IsClosure, {.object = proto_of(example.as<Closure>())}, {k.id}));
  if (example.is(Tag::Dist))
    build_->guard(build_->emit(Opcode::IsDist, {.object = example.as<Dist>()->type}, {k.id}));
  k.learn(example);
  return k;
}

AbstractValue Lowering::captured(const AbstractValue& closure, std::size_t index) {
  if (closure.is_virtual()) return closure.virtual_object->values[index];
  if (closure.is_constant())
    return AbstractValue::constant(closure.value.as<Closure>()->captured[index]);
  if (closure.shape && closure.shape->held[index].is_constant()) return closure.shape->held[index];
  AbstractValue k =
      emit(Opcode::Captured, {.number = static_cast<std::int64_t>(index)}, {boxed(closure)});
  if (closure.shape) {
    const AbstractValue& held = closure.shape->held[index];
    k = unboxed(held.type, k);
    k.tag = held.tag;
    k.proto = held.proto;
    k.distribution = held.distribution;
    k.process = held.process;
    k.shape = held.shape;
    return k;
  }
  if (closure.is_uniform() && closure.example.is(Tag::Closure))
    return of_example(k, closure.example.as<Closure>()->captured[index]);
  return k;
}

Lowering::Refined Lowering::refine(std::uint32_t reg) {
  AbstractValue& k = state_.top().reg(reg);
  if (k.type == Type::Int || k.type == Type::Double) return Refined::Yes;
  if (k.type == Type::Bool || k.is_constant() || k.tag != Tag::Nil) return Refined::Never;
  if (k.is_nothing()) return Refined::Never;
  const Type guess = k.example.is(Tag::Int) ? Type::Int : Type::Double;
  const Type other = guess == Type::Int ? Type::Double : Type::Int;
  const ValueId v = k.id;
  State elsewhere = state_;
  // Read before the test: both types have eight bytes there.
  elsewhere.top().reg(reg) = unboxed(other, state_.top().reg(reg));
  const AbstractValue typed = unboxed(guess, state_.top().reg(reg));
  build_->guard(build_->emit(Opcode::IsNumber, {v}));
  state_.top().reg(reg) = typed;
  // The instruction is met again, by both.
  branch(build_->emit(Opcode::HasTag, {.tag = guess == Type::Int ? Tag::Int : Tag::Double}, {v}),
         std::move(elsewhere));
  return Refined::Forked;
}

AbstractValue Lowering::as_value(AbstractValue k) {
  materialize(k);
  return k.type == Type::Any ? k : made(Type::Any, boxed(k));
}

bool Lowering::instruction(const Instr* at) {
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
        if (k.is_nothing()) return give_up();
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
      if (straight() && !loops_here()) return true;
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
        if (k.is_nothing()) return give_up();
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
      ValueId test;
      if (at->op == Op::Not)
        test = build_->negation(truth(k));
      else if (k.is_virtual() || k.type != Type::Any || (k.tag != Tag::Nil && k.tag != tag))
        test = build_->constant(Value::boolean(false));
      else
        test = build_->emit(Opcode::HasTag, {.tag = tag}, {boxed(k)});
      AbstractValue b = made(Type::Bool, test);
      if (!b.is_constant() && k.is_uniform() && k.has_example())
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
      if (collection.is_virtual() && collection.tag == Tag::Vector) {
        set(at->a, part_of(collection, index).value_or(nil));
        return true;
      }
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
      AbstractValue vector = f.reg(at->b);
      const AbstractValue index = f.reg(at->c);
      if (const auto part = part_of(vector, index)) {
        set(at->a, *part);
        return true;
      }
      materialize(vector);
      if (index.type != Type::Int || vector.is_virtual()) return give_up();
      AbstractValue k = emit(Opcode::Nth, {boxed(vector), plain(index)});
      if (vector.has_example() && vector.example.is(Tag::Vector))
        k.example = example_element(vector.example);
      set(at->a, k);
      return true;
    }
    case Op::ReduceVector:
      return reduce_vector(at);
    case Op::Conj: {
      AbstractValue both[] = {f.reg(at->b), f.reg(at->c)};
      materialize(both);
      const AbstractValue &vector = both[0], &item = both[1];
      ++state_.applications;
      if (vector.type != Type::Any) return give_up();
      if (vector.tag != Tag::Vector) return call_native(ext_native(at[1]), {vector, item}, at->a);
      build_->guard(build_->negation(build_->emit(Opcode::HasMeta, {boxed(vector)})));
      AbstractValue grown = emit(Opcode::Conj, {boxed(vector), boxed(item)});
      grown.tag = Tag::Vector;
      if (!item.is_constant() && item.is_uniform() == grown.is_uniform()) {
        grown.last = item.id;
        grown.last_type = item.type;
      }
      set(at->a, grown);
      return true;
    }
    case Op::Peek: {
      const AbstractValue vector = f.reg(at->b);
      ++state_.applications;
      if (vector.tag != Tag::Vector || vector.type != Type::Any || vector.is_virtual())
        return call_native(ext_native(at[1]), {vector}, at->a);
      if (vector.last != kNoValue) {
        AbstractValue k;
        k.kind = vector.kind;
        k.type = vector.last_type;
        k.id = vector.last;
        set(at->a, k);
        return true;
      }
      const AbstractValue count = emit(Opcode::Count, {boxed(vector)});
      build_->guard(build_->emit(Opcode::Less, {build_->integer(0), count.id}));
      const ValueId last = build_->emit(Opcode::Plus, {count.id, build_->integer(-1)});
      set(at->a, emit(Opcode::Nth, {boxed(vector), last}));
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

bool Lowering::predict(const Instr* at) {
  AbstractFrame& f = state_.top();
  AbstractValue shown[] = {f.reg(at->a), f.reg(at->b)};
  materialize(shown);
  const AbstractValue &label = shown[0], &value = shown[1];
  if (label.is_nothing() || value.is_nothing()) return give_up();
  for (const AbstractValue* k : {&label, &value})
    if (k->type == Type::Any && !(k->is_constant() && !k->value.is_object()))
      build_->effect(Opcode::Realised, {boxed(*k)});
  if (given_) return true;  // the output of such a run is not used
  state_.changes_sides = true;
  build_->effect(Opcode::Predict, {boxed(label), boxed(value)});
  return true;
}

bool Lowering::finish(AbstractValue result) {
  materialize(result);
  if (result.is_nothing()) return give_up();
  if (result.type == Type::Any && !(result.is_constant() && !result.value.is_object()))
    build_->effect(Opcode::Realised, {boxed(result)});
  if (given_) {
    end_of_given(true);
    build_->effect(Opcode::FinishGiven);
    return false;
  }
  build_->effect(Opcode::Finish, {.number = static_cast<std::int64_t>(state_.applications)},
                 {boxed(result)});
  worthwhile_ = true;
  exits_.ends = true;
  exits_.by_particle |= !straight();
  return false;
}

}  // namespace chancel::segment
