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

}  // namespace chancel
