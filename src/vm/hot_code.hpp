// SPDX-License-Identifier: Apache-2.0
// Native code for what computes long without a draw: loops and functions of plain values. The run loop
// asks for it where its fuel ends, and where a call finds CodeBlock::entry_size raised. Native
// code stops only where the interpreter can continue: an operation that it cannot complete has had
// no effect, and the interpreter runs it.
#pragma once
#include <cstdint>

#include "bytecode/code.hpp"
#include "value/native.hpp"

namespace chancel {

struct HotRun {
  NativeContext& cx;
  const Value* globals;
  const bool* alarm;           // set when garbage should be collected
  std::uint64_t applications;  // of the execution so far; counted on
};

class HotCode {
 public:
  virtual ~HotCode() = default;
  // Fuel has ended at the head of a loop. Returns where to continue, with the registers as they are
  // then: the head itself if the loop has not ended; null: nothing was done.
  virtual const Instr* loop(const CodeBlock* code, const Instr* head, Value* registers,
                            HotRun& run) = 0;
  // At the entry of a function; `hot`: fuel has ended there. False: nothing was done.
  virtual bool call(const CodeBlock* code, const Value* registers, bool hot, HotRun& run,
                    Value* out) = 0;
};

}  // namespace chancel
