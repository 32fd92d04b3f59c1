// SPDX-License-Identifier: Apache-2.0
// What the operands of each instruction are, from opcodes.def: for the disassembler and the verifier.
#pragma once
#include "bytecode/code.hpp"

namespace chancel {

enum class Format { A, AB, ABC, AK, AI, AG, AU, J, AJ, ABJ, CALL };

inline Format format_of(Op op) {
  static constexpr Format kFormats[] = {
#define CHANCEL_OP(name, format, words) Format::format,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
  };
  return kFormats[static_cast<int>(op)];
}

// The first extension word is a site: the execution may stop here.
inline bool has_site(Op op) {
  return op == Op::Sample || op == Op::SampleDirect || op == Op::Observe || op == Op::ObserveDirect;
}
// The extension word is a native.
inline bool has_native(Op op) { return op_words(op) == 1 && op != Op::CallGlobal && !has_site(op); }

// Registers in use when this instruction is done again: those below the mark of the emitter, and its
// operands. For instructions that ask something of control.
inline std::uint32_t live_at(const CodeBlock& code, const Instr* at) {
  std::uint32_t live =
      code.live.empty() ? 0 : code.live[static_cast<std::size_t>(at - code.instrs.data())];
  const auto operand = [&](std::uint32_t r) { live = r + 1 > live ? r + 1 : live; };
  switch (at->op) {
    case Op::JumpIfFalse:
    case Op::JumpIfTrue:
    case Op::ThrowException:
      operand(at->a);
      break;
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
    case Op::Throw:
    case Op::Predict:
      operand(at->a);
      operand(at->b);
      break;
    case Op::VectorNth:
      operand(at->b);
      operand(at->c);
      break;
    case Op::Catch:
      operand(at->b + 1u);
      break;
    case Op::ReduceVector:
      operand(at->a + 3u);
      break;
    case Op::ObserveScore:
      operand(at->a);
      operand(at->b);
      operand(at->c);
      break;
    default:
      operand(at->b);
      break;
  }
  return live;
}

}  // namespace chancel
