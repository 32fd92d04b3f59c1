// SPDX-License-Identifier: Apache-2.0
// Calls of the program's functions, which are inlined or called as functions of their own, and closures.
#include <fmt/format.h>

#include <algorithm>

#include "segment/lowering.hpp"
#include "value/collections.hpp"
#include "value/lookup.hpp"

namespace chancel::segment {

namespace {
constexpr std::size_t kMostInlined = 40;  // frames

// Names and collections that are called look something up, as get does (vm/call_data.cpp).
bool looks_up(const Value& f) {
  return f.is(Tag::Keyword) || f.is(Tag::Symbol) || f.is(Tag::ArrayMap) || f.is(Tag::HashMap) ||
         f.is(Tag::SortedMap) || f.is(Tag::Set) || f.is(Tag::SortedSet);
}
Value look_up(NativeContext& cx, const Value* a, std::uint32_t count) {
  Value found;
  if (lookup(cx, a[0], a[1], &found)) return found;
  return count == 3 ? a[2] : Value::nil();
}
constexpr NativeDef kGet{"get", 2, 3, look_up, kPure, "[coll key] [coll key not-found]", ""};
}  // namespace

bool Lowering::make_closure(const Instr* at) {
  AbstractFrame& f = state_.top();
  const FunctionProto* proto = f.code->functions[static_cast<std::size_t>(at->wide())];
  if (proto->is_query) return give_up();
  std::vector<AbstractValue> values;
  for (const Capture& c : proto->captures) {
    const AbstractValue k = c.index == kSelfCapture ? f.slots[0]
                            : c.from_local          ? f.reg(c.index)
                                                    : captured(f.slots[0], c.index);
    if (k.is_nothing()) return give_up();  // letfn: it is filled in later
    values.push_back(k);
  }
  AbstractValue made = virtual_closure(proto, std::move(values));
  if (unit_) materialize(made);
  set(at->a, made);
  return true;
}

const Shape* Lowering::shape_of(const std::vector<AbstractValue>& values) {
  std::string key;
  auto shape = std::make_unique<Shape>();
  for (const AbstractValue& k : values) {
    AbstractValue held;
    if (k.is_constant()) {
      held = k;
      key += fmt::format("c{}.{} ", static_cast<std::uint64_t>(k.value.tag), k.value.bits);
    } else {
      held.kind = AbstractValue::Kind::Varying;
      held.type = k.type;
      held.tag = k.tag;
      held.proto = k.proto;
      held.distribution = k.distribution;
      held.process = k.process;
      held.shape = k.shape;
      key += fmt::format("v{}.{}.{}.{}.{}.{} ", static_cast<int>(k.type),
                         static_cast<std::uint64_t>(k.tag), static_cast<const void*>(k.proto),
                         static_cast<const void*>(k.distribution),
                         static_cast<const void*>(k.process), static_cast<const void*>(k.shape));
    }
    shape->held.push_back(held);
  }
  std::unique_ptr<Shape>& known = shapes_[key];
  if (!known) known = std::move(shape);
  return known.get();
}

bool Lowering::call(std::uint32_t window, std::uint32_t count, std::uint16_t dst,
                    const Instr* back) {
  AbstractFrame& f = state_.top();
  const AbstractValue function = f.reg(window);
  std::vector<AbstractValue> arguments;
  for (std::uint32_t i = 0; i < count; ++i) arguments.push_back(f.reg(window + 1 + i));
  ++state_.applications;
  if (function.is_constant() && function.value.is(Tag::Native)) {
    const NativeDef* native = function.value.native;
    if (static_cast<int>(count) < native->min_args ||
        (native->max_args >= 0 && static_cast<int>(count) > native->max_args))
      return give_up();
    return call_native(native, arguments, dst);
  }
  if (function.is_constant() && (count == 1 || count == 2) && looks_up(function.value)) {
    const bool by_key = function.value.is(Tag::Keyword) || function.value.is(Tag::Symbol);
    arguments.insert(arguments.begin() + (by_key ? 1 : 0), function);
    if (count == 1) return get(arguments[0], arguments[1], &kGet, dst);
    return call_native(&kGet, std::move(arguments), dst);
  }
  AbstractFrame caller = f;
  caller.pc = back;
  caller.dst = dst;
  caller.kind = FrameKind::Normal;
  caller.slots.resize(window + 1u);
  return enter_function(function, std::move(arguments), std::move(caller));
}

bool Lowering::enter_function(const AbstractValue& function, std::vector<AbstractValue> arguments,
                              AbstractFrame caller) {
  if (!function.proto || state_.frames.size() > kMostInlined) return give_up();
  const CodeBlock* callee = function.proto->find(static_cast<std::uint32_t>(arguments.size()));
  if (!callee || callee->variadic) return give_up();
  if (unit_ && is_own_function(callee))
    return call_function(function, callee, arguments, std::move(caller));
  state_.frames.back() = std::move(caller);
  AbstractFrame frame;
  frame.code = callee;
  frame.pc = callee->instrs.data();
  frame.slots.assign(callee->frame_size + 1u, AbstractValue{});
  frame.slots[0] = function;
  for (std::size_t i = 0; i < arguments.size(); ++i) frame.slots[i + 1] = arguments[i];
  state_.frames.push_back(std::move(frame));
  return true;
}

bool Lowering::tail_call(const Instr* at) {
  AbstractFrame& f = state_.top();
  const AbstractValue function = f.reg(at->b);
  if (!function.proto) return call(at->b, at->c, at->a, f.pc);  // a Return follows
  std::vector<AbstractValue> arguments;
  for (std::uint32_t i = 0; i < at->c; ++i) arguments.push_back(f.reg(at->b + 1u + i));
  ++state_.applications;
  if (state_.frames.size() < 2) {
    if (function_.form != Form::Function) return give_up();
    const CodeBlock* callee = function.proto->find(at->c);
    if (!callee || callee->variadic) return give_up();
    AbstractFrame frame;  // in the place of this one
    frame.code = callee;
    frame.pc = callee->instrs.data();
    frame.slots.assign(callee->frame_size + 1u, AbstractValue{});
    frame.slots[0] = function;
    for (std::size_t i = 0; i < arguments.size(); ++i) frame.slots[i + 1] = arguments[i];
    state_.frames.back() = std::move(frame);
    jump_to_head(state_, std::vector<bool>(state_.top().slots.size(), true));
    return false;
  }
  AbstractFrame caller = state_.frames[state_.frames.size() - 2];
  state_.frames.pop_back();
  const std::size_t frames = state_.frames.size();
  if (!enter_function(function, std::move(arguments), std::move(caller))) return false;
  if (state_.frames.size() == frames) return true;  // it was called, not inlined
  if (straight() && !loops_here()) return true;
  // It may be a loop by tail calls.
  jump_to_head(state_, std::vector<bool>(state_.top().slots.size(), true));
  return false;
}

bool Lowering::give_back(AbstractValue value) {
  if (function_.form == Form::Function && state_.frames.size() == 1)
    return return_from_function(value);
  if (state_.frames.size() < 2 || value.is_nothing()) return give_up();
  const bool joins = !straight() && liveness(state_.top().code).has_several_returns();
  state_.frames.pop_back();
  AbstractFrame& f = state_.top();
  if (f.kind != FrameKind::Normal) return give_up();
  if (f.slots.size() < f.code->frame_size + 1u) f.slots.resize(f.code->frame_size + 1u);
  if (f.dst != kNoDestination) f.slots[f.dst + 1u] = value;
  if (joins && !(function_.form == Form::Loop && state_.frames.size() == 1)) {
    jump_to_label(state_);
    return false;
  }
  return true;
}

bool Lowering::reduce_vector(const Instr* at) {
  if (!at_label_ && (!straight() || loops_here())) {
    if (straight() || state_.top().reg(at->a + 3u).is_constant()) {
      // The head of a loop over the vector: one block for all its turns.
      state_.top().pc = at;
      jump_to_head(state_, written_between(*state_.top().code, at, at));
      return false;
    }
  }
  AbstractFrame& f = state_.top();
  AbstractValue result = f.reg(at->a + 1u);
  AbstractValue vector = f.reg(at->a + 2u);
  const AbstractValue index = f.reg(at->a + 3u);
  if (vector.tag != Tag::Vector || index.type != Type::Int) return give_up();
  if (vector.is_virtual() && !index.is_constant()) materialize(vector);
  if (result.type == Type::Any && !result.is_constant() && result.tag == Tag::Nil)
    build_->guard(
        build_->negation(build_->emit(Opcode::HasTag, {.tag = Tag::Reduced}, {boxed(result)})));
  if (result.tag == Tag::Reduced) return give_up();
  AbstractValue element;
  if (vector.is_constant() && index.is_constant()) {
    const auto* items = vector.value.as<Vector>();
    if (static_cast<std::uint64_t>(index.value.i) >= items->count) return true;
    element = AbstractValue::constant(vector_nth(items, static_cast<std::uint32_t>(index.value.i)));
  } else if (vector.is_virtual()) {
    const auto part = part_of(vector, index);
    if (!part) return true;  // it has ended
    element = *part;
  } else {
    State done = state_;
    const ValueId count = build_->emit(Opcode::Count, {boxed(vector)});
    branch(build_->emit(Opcode::InRange, {plain(index), count}), std::move(done));
    element = emit(Opcode::Nth, {boxed(vector), plain(index)});
    if (vector.has_example() && vector.example.is(Tag::Vector))
      element.example = example_element(vector.example);
  }
  AbstractFrame& g = state_.top();
  g.slots[at->a + 4u] = index.is_constant()
                            ? AbstractValue::constant(Value::integer(index.value.i + 1))
                            : emit(Opcode::Next, {plain(index)});
  ++state_.applications;
  const AbstractValue function = g.reg(at->a);
  AbstractFrame caller = g;
  caller.pc = at;
  caller.dst = static_cast<std::uint16_t>(at->a + 1);
  caller.kind = FrameKind::Normal;
  caller.slots.resize(at->a + 5u);  // the call's window begins at a+4
  return enter_function(function, {result, element}, std::move(caller));
}

}  // namespace chancel::segment
