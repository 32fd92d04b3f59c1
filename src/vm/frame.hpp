// SPDX-License-Identifier: Apache-2.0
// The heap objects of executions. A Frame is a frozen activation: the live registers of one call,
// where it resumes, and the frame below. Frames are immutable, so executions share them: forking an
// execution copies a pointer, whatever the depth of its stack, and a child copies only the frames
// that it returns into. The contract of a frame at rest, for every tier that makes or takes one:
//
//  - (code, pc) is its resume id: the instruction of the bytecode at which it resumes. A tier that
//    runs other code maps that pair to a place of its own, and gives it back when it freezes.
//  - slots[0] is the function that is being run, slots[1 + r] is register r; `count` - 1 registers
//    are live there, and no others are read before they are written.
//  - The value that it waits for (the answer of a checkpoint, the result of a call) goes into
//    register `dst`, unless that is kNoDestination.
//  - Frames, and what they lead to, are never written after they have been made.
//
// A working stack keeps kStackMargin slots free above the deepest frame for what is called without a
// look at its size.
#pragma once
#include "bytecode/code.hpp"
#include "value/heap.hpp"
#include "value/object.hpp"
#include "vm/execution.hpp"

namespace chancel {

enum class FrameKind : std::uint16_t { Normal, Catch, Try, Handler, Rethrow, Retry };
inline constexpr std::uint32_t kNoDestination = 0xffff;

// What every tier leaves free on its working stack, and what may use it unasked.
inline constexpr std::size_t kStackMargin = 64;
inline constexpr std::size_t kStubRegisters = 16;      // of the frames in stubs.cpp
inline constexpr std::size_t kMostSpread = 40;         // arguments that apply spreads out
inline constexpr std::size_t kMostStartArguments = 4;  // of Executor::start
static_assert(kStubRegisters + 1 <= kStackMargin &&
                  kMostSpread + kStubRegisters + 1 <= kStackMargin,
              "apply and the stubs fit into the margin together");
static_assert(kMostStartArguments + 2 <= kStubRegisters);

struct Frame : Object {
  Frame* below;
  const CodeBlock* code;
  const Instr* pc;      // where it resumes
  std::uint16_t dst;    // register for the value it waits for (kNoDestination: none)
  FrameKind kind;       // what the call that it waits for is
  std::uint32_t count;  // slots
  std::uint64_t depth;  // frames below and including this one
  Value slots[1];       // the function itself, then registers 0 .. count-2
};

// Copies values sixteen bytes at a time (the compiler would take them word by word), four in a
// stride: frames are short, and the loop around them would cost more than the copying.
inline void copy_values(Value* to, const Value* from, std::size_t count) {
  const auto one = [](Value* t, const Value* f) {
    __builtin_memcpy(static_cast<void*>(t), static_cast<const void*>(f), sizeof(Value));
  };
  const Value* const strides_end = from + (count & ~std::size_t{3});
  while (from != strides_end) {
    one(to, from);
    one(to + 1, from + 1);
    one(to + 2, from + 2);
    one(to + 3, from + 3);
    to += 4;
    from += 4;
  }
  if (count & 2) {
    one(to, from);
    one(to + 1, from + 1);
    to += 2;
    from += 2;
  }
  if (count & 1) one(to, from);
}

// Freezes one activation: its function and registers are `count` slots.
inline Frame* freeze(Arena& arena, Frame* below, const CodeBlock* code, const Instr* pc,
                     std::uint32_t dst, FrameKind kind, const Value* slots, std::uint32_t count) {
  auto* f = static_cast<Frame*>(arena.allocate(Tag::Frame, bytes_with<Frame>(count)));
  f->below = below;
  f->code = code;
  f->pc = pc;
  f->dst = static_cast<std::uint16_t>(dst);
  f->kind = kind;
  f->count = count;
  f->depth = below ? below->depth + 1 : 1;
  copy_values(f->slots, slots, count);
  return f;
}

void register_frame_scanners();  // once at start; cheap to repeat

}  // namespace chancel
