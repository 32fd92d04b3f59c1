// SPDX-License-Identifier: Apache-2.0
// Code objects: choosing an arity, names of instructions.
#include "bytecode/code.hpp"

namespace chancel {

const CodeBlock* FunctionProto::find_slow(std::uint32_t count) const {
  for (const auto& code : arities) {
    if (!code->variadic && code->params == count) return code.get();
    if (code->variadic && count >= code->params) return code.get();
  }
  return nullptr;
}

void FunctionProto::index() {
  for (std::uint32_t i = 0; i < 6; ++i) by_count[i] = find_slow(i);
}

const char* op_name(Op op) {
  static const char* const names[] = {
#define CHANCEL_OP(name, format, words) #name,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
  };
  return names[static_cast<int>(op)];
}

int op_words(Op op) {
  static const int words_of[] = {
#define CHANCEL_OP(name, format, words) words,
#include "bytecode/opcodes.def"
#undef CHANCEL_OP
  };
  return words_of[static_cast<int>(op)];
}

}  // namespace chancel
