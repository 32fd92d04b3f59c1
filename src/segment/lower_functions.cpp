// SPDX-License-Identifier: Apache-2.0
// See function_unit.hpp.
#include "segment/function_unit.hpp"

#include <algorithm>

#include "segment/lowering.hpp"

namespace chancel::segment {

namespace {

constexpr std::size_t kMostFunctions = 40;
constexpr int kMostRounds = 8;
constexpr std::size_t kMostWork = 20000;     // instructions in all rounds
constexpr std::size_t kMostSize = 5000;      // instructions that result
constexpr std::size_t kLargestInlined = 60;  // instruction words

bool needs_self(const CodeBlock& code) {
  const Instr* at = code.instrs.data();
  const Instr* const end = at + code.instrs.size();
  for (; at < end; at += 1 + op_words(at->op)) {
    if (at->op == Op::LoadSelf || at->op == Op::LoadCaptured || at->op == Op::GetCaptured)
      return true;
    if (at->op == Op::MakeClosure) return true;
  }
  return false;
}

}  // namespace

const CompiledFunction& FunctionUnit::callee(const FunctionProto* proto, const CodeBlock* code,
                                             std::vector<Type> arguments) {
  for (const CompiledFunction& f : functions_)
    if (f.code == code && f.arguments == arguments) return f;
  CompiledFunction f;
  f.number = functions_.size();
  f.proto = proto;
  f.code = code;
  f.has_self = needs_self(*code);
  f.arguments = std::move(arguments);
  functions_.push_back(std::move(f));
  return functions_.back();
}

const Value& FunctionUnit::global(std::uint32_t index) {
  const Value& v = globals_[index];
  if (std::none_of(globals.begin(), globals.end(),
                   [&](const GlobalKind& g) { return g.index == index; }))
    globals.push_back({index, v.tag,
                       v.is(Tag::Closure)  ? static_cast<const void*>(v.as<Closure>()->function)
                       : v.is(Tag::Native) ? static_cast<const void*>(v.native)
                                           : nullptr});
  return v;
}

std::vector<Function> FunctionUnit::function(const CodeBlock* code, const Value* registers,
                                             NativeContext& cx) {
  std::vector<Type> types;
  for (std::uint32_t i = 0; i < code->params; ++i) {
    types.push_back(type_of(registers[i]));
    if (types.back() != Type::Any)
      slots.push_back({static_cast<std::int32_t>(i), registers[i].tag, nullptr});
  }
  callee(code->proto, code, types);
  return agree(cx, [](Lowering&) { return std::nullopt; });
}

std::vector<Function> FunctionUnit::loop(const CodeBlock* code, const Instr* head,
                                         const Value* registers, NativeContext& cx) {
  const Liveness liveness(*code);
  std::vector<AbstractValue> known(code->frame_size + 1u);
  for (std::int32_t r = -1; r < static_cast<std::int32_t>(code->frame_size); ++r) {
    if (r < 0 ? !liveness.needs_function(head)
              : !liveness.live(head, static_cast<std::uint32_t>(r)))
      continue;
    AbstractValue& k = known[static_cast<std::size_t>(r + 1)];
    k.kind = AbstractValue::Kind::Varying;
    k.type = type_of(registers[r]);
    if (k.type == Type::Any) k.learn(registers[r]);
    k.distribution = nullptr;
    k.process = nullptr;
    slots.push_back({r, registers[r].tag, k.proto});
  }
  return agree(cx, [&](Lowering& lowering) { return lowering.loop(code, head, known); });
}

std::vector<Function> FunctionUnit::agree(
    NativeContext& cx, const std::function<std::optional<Function>(Lowering&)>& entry) {
  std::size_t work = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t before = functions_.size();
    bool agreed = true;
    returns = false;
    Lowering lowering(*this, cx);
    std::vector<Function> out;
    if (std::optional<Function> loop = entry(lowering)) {
      out.push_back(std::move(*loop));
      work += lowering.instructions();
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < functions_.size() && i < kMostFunctions; ++i) {
      out.push_back(lowering.function(functions_[i]));
      work += lowering.instructions();
      size += out.back().size();
      if (work > kMostWork || size > kMostSize) return {};
      if (lowering.gives() != functions_[i].gives) agreed = false;
      functions_[i].gives = lowering.gives();
    }
    if (functions_.size() > kMostFunctions || !returns) return {};
    if (agreed && functions_.size() == before) return out;
  }
  return {};
}

// --- lowering's part ---

void Lowering::begin_plain(Form form, std::size_t number) {
  begin_function(form, number);
  gives_.reset();
  state_ = State{};
}

Function Lowering::function(const CompiledFunction& f) {
  begin_plain(Form::Function, f.number);
  supposed_ = f.gives;
  function_.parameters = f.arguments;
  function_.takes_self = f.has_self;
  function_.returns = f.gives.value_or(Type::None);
  AbstractFrame frame;
  frame.code = f.code;
  frame.pc = f.code->instrs.data();
  frame.slots.assign(f.code->frame_size + 1u, AbstractValue{});
  const auto parameter = [&](Type type, std::int64_t number) {
    return emit_typed(Opcode::Parameter, type, {.number = number}, {});
  };
  if (f.has_self) frame.slots[0] = parameter(Type::Any, -1);
  frame.slots[0].proto = f.proto;
  frame.slots[0].tag = Tag::Closure;
  for (std::size_t i = 0; i < f.arguments.size(); ++i)
    frame.slots[i + 1] = parameter(f.arguments[i], static_cast<std::int64_t>(i));
  state_.frames.push_back(std::move(frame));
  follow();
  follow_blocks();
  return std::move(function_);
}

Function Lowering::loop(const CodeBlock* code, const Instr* head,
                        const std::vector<AbstractValue>& registers) {
  begin_plain(Form::Loop, 0);
  // The outermost loop around the head: it is left when that is.
  region_begin_ = head;
  region_end_ = head;
  const Instr* const end = code->instrs.data() + code->instrs.size();
  for (bool grown = true; grown;) {
    grown = false;
    for (const Instr* at = code->instrs.data(); at < end; at += 1 + op_words(at->op)) {
      if (at->op != Op::LoopJump) continue;
      const Instr* const to = at + 1 + at->wide();
      if (to > region_begin_ || at < region_end_ || (to == region_begin_ && at == region_end_))
        continue;
      region_begin_ = to;
      region_end_ = at;
      grown = true;
    }
  }
  AbstractFrame frame;
  frame.code = code;
  frame.pc = head;
  frame.slots = registers;
  for (std::size_t s = 0; s < frame.slots.size(); ++s) {
    AbstractValue& k = frame.slots[s];
    if (k.is_nothing()) continue;
    k.id = build_->emit_typed(Opcode::Register, k.type,
                              {.number = static_cast<std::int64_t>(s) - 1}, {});
  }
  state_.frames.push_back(std::move(frame));
  jump_to_label(state_);
  follow_blocks();
  return std::move(function_);
}

AbstractValue Lowering::global(std::uint32_t index) {
  const Value& v = unit_->global(index);
  if (Program::is_unbound(v)) return {};
  if (v.is(Tag::Native)) return AbstractValue::constant(v);
  const Type type = type_of(v);
  AbstractValue k = emit_typed(Opcode::Global, type, {.number = index}, {});
  if (type == Type::Any) {
    k.tag = v.tag;
    if (v.is(Tag::Closure)) k.proto = proto_of(v.as<Closure>());
  }
  return k;
}

bool Lowering::is_own_function(const CodeBlock* callee) const {
  return callee->instrs.size() > kLargestInlined ||
         std::any_of(state_.frames.begin(), state_.frames.end(),
                     [&](const AbstractFrame& f) { return f.code == callee; });
}

bool Lowering::call_function(const AbstractValue& function, const CodeBlock* callee,
                             const std::vector<AbstractValue>& arguments, AbstractFrame caller) {
  std::vector<Type> types;
  for (const AbstractValue& k : arguments) {
    if (k.is_nothing()) return give_up();
    types.push_back(k.type);
  }
  const CompiledFunction& f = unit_->callee(function.proto, callee, types);
  if (f.has_self && function.is_nothing()) return give_up();
  Builder::Operands operands;
  if (f.has_self) operands.push_back(boxed(function));
  for (const AbstractValue& k : arguments) operands.push_back(plain(k));
  const Builder::Extra extra{.number = static_cast<std::int64_t>(f.number),
                             .index = static_cast<std::int64_t>(state_.applications)};
  state_.applications = 0;
  if (!f.gives) {  // supposed to give nothing: looked at again when more is known
    build_->effect(Opcode::CallForever, extra, std::move(operands));
    build_->effect(Opcode::Leave);
    return false;
  }
  const AbstractValue given =
      emit_typed(Opcode::CallFunction, *f.gives, extra, std::move(operands));
  state_.frames.back() = std::move(caller);
  AbstractFrame& top = state_.top();
  if (top.slots.size() < top.code->frame_size + 1u) top.slots.resize(top.code->frame_size + 1u);
  if (top.dst != kNoDestination) top.slots[top.dst + 1u] = given;
  return true;
}

bool Lowering::return_from_function(const AbstractValue& value) {
  if (value.is_nothing()) return give_up();
  const std::optional<Type> before = gives_;
  gives_ = before && *before != value.type ? Type::Any : value.type;
  unit_->returns = true;
  const Type type = supposed_.value_or(value.type);
  build_->effect(Opcode::Return, {.number = static_cast<std::int64_t>(state_.applications)},
                 {type == Type::Any ? boxed(value) : plain(value)});
  return false;
}

bool Lowering::leave_loop(const State& state) {
  const AbstractFrame& f = state.frames[0];
  const Liveness& l = liveness(f.code);
  Builder::Operands registers;
  for (std::uint32_t r = 0; r < f.code->frame_size; ++r) {
    // Registers that are not live become nil: the collector still reads them.
    const AbstractValue k = r + 1 < f.slots.size() && l.live(f.pc, r) ? f.reg(r) : AbstractValue{};
    registers.push_back(k.is_nothing() ? build_->constant(Value::nil()) : boxed(k));
  }
  build_->effect(Opcode::LeaveLoop,
                 {.number = static_cast<std::int64_t>(state.applications),
                  .index = f.pc - f.code->instrs.data()},
                 std::move(registers));
  unit_->returns = true;
  return false;
}

}  // namespace chancel::segment
