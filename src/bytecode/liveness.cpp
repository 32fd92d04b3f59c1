// SPDX-License-Identifier: Apache-2.0
// See liveness.hpp: the usual equations backwards, repeated until nothing changes.
#include "bytecode/liveness.hpp"

#include "bytecode/format.hpp"

namespace chancel {

namespace {

using RegisterSet = boost::dynamic_bitset<>;

struct Uses {
  const CodeBlock& code;
  std::size_t function;
  RegisterSet& live;
  void read(std::uint32_t r) { live[r] = true; }
  void read(std::uint32_t from, std::uint32_t count) {
    for (std::uint32_t r = from; r < from + count && r < function; ++r) live[r] = true;
  }
  void write(std::uint32_t r) { live[r] = false; }
};

// Whether it writes its register a.
bool writes(Op op) {
  switch (op) {
    case Op::Jump:
    case Op::LoopJump:
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
    case Op::Return:
    case Op::TailCall:
    case Op::TailApply:
    case Op::Predict:
    case Op::Throw:
    case Op::ThrowException:
    case Op::SetGlobal:
    case Op::PatchCapture:
    case Op::ReduceVector:
    case Op::MemoStore:
    case Op::LazyStore:
    case Op::ReturnRetry:
    case Op::ForceNext:
    case Op::Exit:
      return false;
    default:
      return true;
  }
}

// From what is live after the instruction to what is live before it.
void step_back(Uses u, const Instr* at) {
  const Instr i = *at;
  const Op op = i.op;
  if (writes(op)) u.write(i.a);
  if (has_site(op))
    if (const std::uint16_t id = ext_site(at[1]).id_register) u.read(id - 1u);
  switch (op) {
    case Op::LoadConst:
    case Op::LoadInt:
    case Op::LoadNil:
    case Op::LoadGlobal:
    case Op::Jump:
    case Op::LoopJump:
    case Op::ApplyCount:
    case Op::ReturnRetry:
      break;
    case Op::LoadCaptured:
    case Op::LoadSelf:
      u.read(static_cast<std::uint32_t>(u.function));
      break;
    case Op::GetCaptured:
      u.read(static_cast<std::uint32_t>(u.function));
      u.read(i.c);
      break;
    case Op::MakeClosure:
      for (const Capture& c : u.code.functions[static_cast<std::size_t>(i.wide())]->captures)
        u.read(c.from_local && c.index != kSelfCapture ? c.index
                                                       : static_cast<std::uint32_t>(u.function));
      break;
    case Op::PatchCapture:
      u.read(i.a);
      u.read(i.c);
      break;
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
    case Op::Return:
    case Op::ThrowException:
    case Op::SetGlobal:
    case Op::Exit:
      u.read(i.a);
      break;
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
    case Op::Predict:
    case Op::Throw:
    case Op::LazyStore:
    case Op::ForceNext:
      u.read(i.a);
      u.read(i.b);
      break;
    case Op::MemoStore:
    case Op::ObserveScore:
      u.read(i.a);
      u.read(i.b);
      u.read(i.c);
      break;
    case Op::ReduceVector:
      u.read(i.a, 4);
      break;
    case Op::AddInt:
    case Op::NthOrNil:
      u.read(i.b);
      break;
    case Op::CallGlobal:
      u.read(i.b + 1u, i.c);
      break;
    case Op::Call:
    case Op::TailCall:
      u.read(i.b, i.c + 1u);
      break;
    case Op::Apply:
    case Op::TailApply:
    case Op::Catch:
      u.read(i.b, 2);
      break;
    case Op::Try:
      u.read(i.b, 3);
      break;
    case Op::Native:
    case Op::SampleDirect:
      u.read(i.b, i.c);
      break;
    case Op::ObserveDirect:
      u.read(i.b, i.c + 1u);
      break;
    default:
      if (format_of(op) == Format::AB || format_of(op) == Format::ABC) u.read(i.b);
      if (format_of(op) == Format::ABC) u.read(i.c);
  }
}

// Where control may go from the instruction.
void each_next(const CodeBlock& code, std::size_t pc, const auto& visit) {
  const Instr i = code.instrs[pc];
  const std::size_t next = pc + 1 + static_cast<std::size_t>(op_words(i.op));
  const auto jump = [&](std::int64_t offset) {
    visit(static_cast<std::size_t>(static_cast<std::int64_t>(pc) + 1 + offset));
  };
  switch (i.op) {
    case Op::Jump:
    case Op::LoopJump:
      return jump(i.wide());
    case Op::Return:
    case Op::TailApply:
    case Op::Throw:
    case Op::ThrowException:
    case Op::ReturnRetry:
    case Op::Exit:
      return;
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
      jump(i.wide());
      return visit(next);
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
      jump(static_cast<std::int16_t>(i.c));
      return visit(next);
    case Op::ReduceVector:
      visit(pc);
      return visit(next);
    default:  // a tail call of anything but a closure returns to the next instruction
      if (next < code.instrs.size()) visit(next);
  }
}

}  // namespace

Liveness::Liveness(const CodeBlock& code) : start_(code.instrs.data()), function_(code.frame_size) {
  const std::size_t count = code.instrs.size();
  before_.assign(count, RegisterSet(function_ + 1));
  std::vector<std::size_t> starts;
  for (std::size_t pc = 0; pc < count;
       pc += 1 + static_cast<std::size_t>(op_words(code.instrs[pc].op)))
    starts.push_back(pc);
  ways_.assign(count, 0);
  for (const std::size_t pc : starts) {
    each_next(code, pc, [&](std::size_t next) { ++ways_[next]; });
    if (code.instrs[pc].op == Op::Return) ++returns_;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto pc = starts.rbegin(); pc != starts.rend(); ++pc) {
      RegisterSet live(function_ + 1);
      each_next(code, *pc, [&](std::size_t next) { live |= before_[next]; });
      step_back(Uses{code, function_, live}, &code.instrs[*pc]);
      if (live != before_[*pc]) {
        before_[*pc] = std::move(live);
        changed = true;
      }
    }
  }
}

std::vector<bool> written_between(const CodeBlock& code, const Instr* from, const Instr* to) {
  std::vector<bool> written(code.frame_size + 1u, false);
  const auto mark = [&](std::uint32_t r) {
    if (r < written.size()) written[r] = true;
  };
  for (const Instr* at = from; at <= to; at += 1 + op_words(at->op)) {
    if (writes(at->op)) mark(at->a);
    if (at->op == Op::ReduceVector)  // the result and the index
      for (const std::uint32_t r : {1u, 3u}) mark(at->a + r);
  }
  return written;
}

}  // namespace chancel
