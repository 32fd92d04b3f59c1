// SPDX-License-Identifier: Apache-2.0
// Calls of the program's functions, which are inlined or called as functions of their own, and closures.
#include <fmt/format.h>

#include <algorithm>

#include "native/translator.hpp"
#include "value/collections.hpp"

namespace chancel::native {

namespace {
constexpr std::size_t kMostInlined = 40;  // frames
}  // namespace

bool Translator::make_closure(const Instr* at) {
  AbstractFrame& f = state_.top();
  const FunctionProto* proto = f.code->functions[static_cast<std::size_t>(at->wide())];
  if (proto->is_query) return give_up();
  std::vector<AbstractValue> values;
  for (const Capture& c : proto->captures) {
    const AbstractValue k = c.index == kSelfCapture ? f.slots[0]
                            : c.from_local          ? f.reg(c.index)
                                                    : captured(f.slots[0], c.index);
    if (k.kind == AbstractValue::Kind::Nothing) return give_up();  // letfn: it is filled in later
    values.push_back(k);
  }
  AbstractValue made = virtual_closure(proto, std::move(values));
  if (unit_) materialize(made);
  set(at->a, made);
  return true;
}

const Shape* Translator::shape_of(const std::vector<AbstractValue>& values) {
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

bool Translator::call(std::uint32_t window, std::uint32_t count, std::uint16_t dst,
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
  AbstractFrame caller = f;
  caller.pc = back;
  caller.dst = dst;
  caller.kind = FrameKind::Normal;
  caller.slots.resize(window + 1u);
  return enter_function(function, std::move(arguments), std::move(caller));
}

bool Translator::enter_function(const AbstractValue& function, std::vector<AbstractValue> arguments,
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

bool Translator::tail_call(const Instr* at) {
  AbstractFrame& f = state_.top();
  const AbstractValue function = f.reg(at->b);
  if (!function.proto) return call(at->b, at->c, at->a, f.pc);  // a Return follows
  std::vector<AbstractValue> arguments;
  for (std::uint32_t i = 0; i < at->c; ++i) arguments.push_back(f.reg(at->b + 1u + i));
  ++state_.applications;
  if (state_.frames.size() < 2) {
    if (mode_ != Mode::Function) return give_up();
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
  if (writer_->straight && !loops_here()) return true;
  // It may be a loop by tail calls.
  jump_to_head(state_, std::vector<bool>(state_.top().slots.size(), true));
  return false;
}

bool Translator::give_back(AbstractValue value) {
  if (mode_ == Mode::Function && state_.frames.size() == 1) return return_from_function(value);
  if (state_.frames.size() < 2 || value.kind == AbstractValue::Kind::Nothing) return give_up();
  const bool joins = !writer_->straight && liveness(state_.top().code).has_several_returns();
  state_.frames.pop_back();
  AbstractFrame& f = state_.top();
  if (f.kind != FrameKind::Normal) return give_up();
  if (f.slots.size() < f.code->frame_size + 1u) f.slots.resize(f.code->frame_size + 1u);
  if (f.dst != kNoDestination) f.slots[f.dst + 1u] = value;
  if (joins && !(mode_ == Mode::Loop && state_.frames.size() == 1)) {
    jump_to_label(state_);
    return false;
  }
  return true;
}

bool Translator::reduce_vector(const Instr* at) {
  if (!at_label_ && (!writer_->straight || loops_here())) {
    if (writer_->straight || state_.top().reg(at->a + 3u).is_constant()) {
      // The head of a loop over the vector: one block for all its turns.
      state_.top().pc = at;
      jump_to_head(state_, written_between(*state_.top().code, at, at));
      return false;
    }
  }
  AbstractFrame& f = state_.top();
  AbstractValue result = f.reg(at->a + 1u);
  const AbstractValue vector = f.reg(at->a + 2u);
  const AbstractValue index = f.reg(at->a + 3u);
  if (vector.tag != Tag::Vector || index.type != Type::Int) return give_up();
  if (result.type == Type::Any && !result.is_constant() && result.tag == Tag::Nil)
    writer_->guard(result.is_uniform(), fmt::format("{}.tag != {}", Writer::name(result.variable),
                                                    static_cast<std::uint64_t>(Tag::Reduced)));
  if (result.tag == Tag::Reduced) return give_up();
  const bool uniform = vector.is_uniform() && index.is_uniform();
  const std::string v = writer_->object(vector, "cn_vector");
  AbstractValue element;
  if (vector.is_constant() && index.is_constant()) {
    const auto* items = vector.value.as<Vector>();
    if (static_cast<std::uint64_t>(index.value.i) >= items->count) return true;
    element = AbstractValue::constant(vector_nth(items, static_cast<std::uint32_t>(index.value.i)));
  } else {
    State done = state_;
    branch(uniform, fmt::format("(uint64_t){} < {}->count", writer_->number(index), v),
           std::move(done));
    element = writer_->compute(
        Type::Any, uniform, fmt::format("cn_nth(b, {}, (uint32_t){})", v, writer_->number(index)));
    if (vector.has_example() && vector.example.is(Tag::Vector))
      element.example = example_element(vector.example);
  }
  AbstractFrame& g = state_.top();
  if (index.is_constant())
    g.slots[at->a + 4u] = AbstractValue::constant(Value::integer(index.value.i + 1));
  else
    g.slots[at->a + 4u] =
        writer_->compute(Type::Int, index.is_uniform(), writer_->number(index) + " + 1");
  ++state_.applications;
  const AbstractValue function = g.reg(at->a);
  AbstractFrame caller = g;
  caller.pc = at;
  caller.dst = static_cast<std::uint16_t>(at->a + 1);
  caller.kind = FrameKind::Normal;
  caller.slots.resize(at->a + 5u);  // the call's window begins at a+4
  return enter_function(function, {result, element}, std::move(caller));
}

}  // namespace chancel::native
