// SPDX-License-Identifier: Apache-2.0
// See both_ways.hpp.
#include "record/both_ways.hpp"

#include <algorithm>

#include "bytecode/program.hpp"
#include "record/dataflow.hpp"
#include "value/object.hpp"

namespace chancel {

namespace {
constexpr int kMostSteps = 300;  // instructions of both ways, with those of calls
constexpr int kMostInside = 12;  // branches and calls inside each other
}  // namespace

const Liveness& BothWays::liveness(const CodeBlock& code) {
  std::unique_ptr<Liveness>& of = liveness_[&code];
  if (!of) of = std::make_unique<Liveness>(code);
  return *of;
}

bool BothWays::meet(NativeContext& cx, const CodeBlock& code, const Instr* jump, Value* registers,
                    const Value* globals, RecordHook::Meeting* out) {
  if (code.live.empty()) return false;  // the machine's own frames
  cx_ = &cx;
  globals_ = globals;
  steps_left_ = kMostSteps;
  depth_ = 0;
  Way way{jump, {registers - 1, registers + code.frame_size}};
  recorder_.begin_trial();
  const bool met = branch(way, code) && cx.ok();
  recorder_.end_trial(!met);
  if (!met) {
    cx.status = NativeContext::Status::Ok;
    return false;
  }
  if (way.returned) {
    registers[0] = way.result;
    *out = {nullptr, 0};
    return true;
  }
  // Registers that still differ are read no more: any value will do.
  std::copy(way.slots.begin() + 1, way.slots.end(), registers);
  *out = {way.pc, 0};
  return true;
}

// At a jump: either way, or both to where they meet.
bool BothWays::branch(Way& way, const CodeBlock& code) {
  using Asks = BranchRecorder::Asks;
  const Instr* const jump = way.pc;
  Asks asks = Asks::Truth;
  std::int32_t offset = jump->wide();
  bool jumps_if = false;  // this is the outcome
  switch (jump->op) {
    case Op::JumpIfTrue:
      jumps_if = true;
      break;
    case Op::JumpUnlessLt:
      asks = Asks::Less;
      break;
    case Op::JumpUnlessLe:
      asks = Asks::LessOrEqual;
      break;
    case Op::JumpUnlessEq:
      asks = Asks::Equal;
      break;
    default:
      break;
  }
  if (asks != Asks::Truth) offset = static_cast<std::int16_t>(jump->c);
  BranchRecorder::Condition condition;
  const Value b = asks == Asks::Truth ? Value::nil() : way.at(jump->b);
  if (!recorder_.condition(*cx_, asks, way.at(jump->a), b, &condition)) return false;
  way.pc = jump + 1;
  if (condition.node.is_nil()) {
    if (condition.now == jumps_if) way.pc += offset;
    return true;
  }
  if (++depth_ > kMostInside) return false;
  Way other = way;
  other.pc += offset;
  if (!follow_both(way, other, code)) return false;
  --depth_;
  Way& if_so = jumps_if ? other : way;
  Way& if_not = jumps_if ? way : other;
  const auto choose = [&](const Value& one, const Value& two, Value* out) {
    if (identical(one, two)) return *out = one, true;
    return recorder_.choose(*cx_, condition, one, two, out);
  };
  if (way.returned) {
    Value result;
    if (!choose(if_so.result, if_not.result, &result)) return false;
    way.result = result;
    return true;
  }
  const Liveness& read = liveness(code);
  for (std::uint32_t r = 0; r < code.frame_size; ++r) {
    if (identical(way.at(r), other.at(r))) continue;
    if (!read.live(way.pc, r)) {
      way.at(r) = Value::nil();
      continue;
    }
    Value chosen;
    if (!choose(if_so.at(r), if_not.at(r), &chosen)) return false;
    way.at(r) = chosen;
  }
  return true;
}

// No jump leads back here, so the way at the earlier instruction takes the next step, until both are at the same place.
bool BothWays::follow_both(Way& one, Way& other, const CodeBlock& code) {
  while (one.returned != other.returned || (!one.returned && one.pc != other.pc)) {
    const bool first = other.returned || (!one.returned && one.pc < other.pc);
    if (!step(first ? one : other, code)) return false;
  }
  return true;
}

bool BothWays::native(Way& way, const NativeDef* native, const Value* args, std::uint32_t count,
                      std::uint32_t to) {
  Value out;
  if (!recorder_.compute(*cx_, native, args, count, &out)) return false;
  way.at(to) = out;
  return true;
}

bool BothWays::call(Way& way, std::uint32_t window, std::uint32_t count, Value* out) {
  const Value& f = way.at(window);
  if (!f.is(Tag::Closure) || ++depth_ > kMostInside) return false;
  const CodeBlock* code = proto_of(f.as<Closure>())->find(count);
  if (!code || code->variadic) return false;
  Way inner{code->instrs.data(), std::vector<Value>(code->frame_size + 1u, Value::nil())};
  std::copy_n(&way.at(window), count + 1, inner.slots.begin());
  while (!inner.returned)
    if (!step(inner, *code)) return false;
  --depth_;
  *out = inner.result;
  return true;
}

bool BothWays::step(Way& way, const CodeBlock& code) {
  if (--steps_left_ < 0) return false;
  const Instr* const ip = way.pc;
  const int words = op_words(ip->op);
  way.pc = ip + 1 + words;
  Value pair[3];
  switch (ip->op) {
    case Op::Move:
      way.at(ip->a) = way.at(ip->b);
      return true;
    case Op::LoadConst:
      way.at(ip->a) = code.constants[static_cast<std::size_t>(ip->wide())];
      return true;
    case Op::LoadInt:
      way.at(ip->a) = Value::integer(ip->wide());
      return true;
    case Op::LoadNil:
      way.at(ip->a) = Value::nil();
      return true;
    case Op::LoadGlobal:
      way.at(ip->a) = globals_[ip->wide()];
      return !Program::is_unbound(way.at(ip->a));
    case Op::LoadCaptured:
      way.at(ip->a) = way.slots[0].as<Closure>()->captured[ip->b];
      return true;
    case Op::LoadSelf:
      way.at(ip->a) = way.slots[0];
      return true;
    case Op::Jump:
      way.pc += ip->wide();
      return true;
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
      way.pc = ip;
      return branch(way, code);
    case Op::Return:
      way.result = way.at(ip->a);
      way.returned = true;
      return true;
    case Op::CallGlobal:
      way.at(ip->b) = globals_[static_cast<std::uint32_t>(word_of(ip[1]))];
      [[fallthrough]];
    case Op::Call: {
      Value out;
      if (!call(way, ip->b, ip->c, &out)) return false;
      way.at(ip->a) = out;
      return true;
    }
    case Op::TailCall:
      if (!call(way, ip->b, ip->c, &way.result)) return false;
      way.returned = true;
      return true;
    case Op::Not:
    case Op::IsNil: {
      const bool negates = ip->op == Op::Not;
      Value out;
      if (!recorder_.test_of(*cx_, negates ? SymbolicHook::Test::Truth : SymbolicHook::Test::Nil,
                             negates, way.at(ip->b), &out))
        return false;
      way.at(ip->a) = out;
      return true;
    }
    case Op::Native:
      return native(way, ext_native(ip[1]), &way.at(ip->b), ip->c, ip->a);
    case Op::AddInt:
      pair[0] = way.at(ip->b);
      pair[1] = Value::integer(static_cast<std::int16_t>(ip->c));
      return native(way, ext_native(ip[1]), pair, 2, ip->a);
    case Op::GetCaptured:
      pair[0] = way.slots[0].as<Closure>()->captured[ip->b];
      pair[1] = way.at(ip->c);
      return native(way, ext_native(ip[1]), pair, 2, ip->a);
    case Op::NthOrNil:
      pair[0] = way.at(ip->b);
      pair[1] = Value::integer(ip->c);
      return native(way, ext_native(ip[1]), pair, 3, ip->a);
    case Op::Native1:
    case Op::Peek:
    case Op::First:
    case Op::Rest:
    case Op::Next:
    case Op::Count:
    case Op::IsEmpty:
      return native(way, ext_native(ip[1]), &way.at(ip->b), 1, ip->a);
    case Op::Native2:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Eq:
    case Op::NumEq:
    case Op::Get:
    case Op::Nth:
    case Op::Conj:
    case Op::Cons:
      pair[0] = way.at(ip->b);
      pair[1] = way.at(ip->c);
      return native(way, ext_native(ip[1]), pair, 2, ip->a);
    default:
      return false;
  }
}

}  // namespace chancel
