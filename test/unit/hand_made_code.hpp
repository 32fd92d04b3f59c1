// SPDX-License-Identifier: Apache-2.0
// A program whose functions are made of instructions, and a machine that runs them.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "bytecode/verify.hpp"
#include "vm/machine.hpp"

namespace chancel {

class HandMadeCode : public ::testing::Test {
 protected:
  Program program;
  Heap heap;
  Value globals[4] = {};
  Machine machine{program, globals, heap, true};

  // A function with these instructions; the verifier agrees with them. Instruction i stands at offset 10 i of file 1.
  FunctionProto* function(std::uint16_t params, std::uint16_t frame, std::vector<Instr> instrs,
                          std::vector<Capture> captures = {}) {
    FunctionProto* const f = program.add_function();
    f->captures = std::move(captures);
    f->arities.push_back(std::make_unique<CodeBlock>());
    CodeBlock& code = *f->arities.back();
    code.proto = f;
    code.params = params;
    code.set_frame_size(frame);
    for (std::uint32_t i = 0; i < instrs.size(); ++i) code.spans.push_back({1, 10 * i, 10 * i + 1});
    code.live.assign(instrs.size(), frame);
    code.instrs = std::move(instrs);
    f->index();
    EXPECT_EQ(verify(*f, &program), "");
    return f;
  }
  Value closure(const FunctionProto* f, const std::vector<Value>& captured = {}) {
    auto* const c =
        machine.arena().make<Closure>(Tag::Closure, bytes_with<Closure>(captured.size()));
    c->function = f;
    std::copy(captured.begin(), captured.end(), c->captured);
    return Value::object(c);
  }
  Value call(const Value& f, const std::vector<Value>& args) {
    Value out = Value::nil();
    EXPECT_TRUE(machine.call(f, args.data(), static_cast<std::uint32_t>(args.size()), &out))
        << machine.failure().message;
    return out;
  }
  static Instr wide(Op op, std::uint16_t a, std::int32_t bc) {
    const auto w = static_cast<std::uint32_t>(bc);
    return {op, a, static_cast<std::uint16_t>(w & 0xffff), static_cast<std::uint16_t>(w >> 16)};
  }
  // Counts its integer parameter down to 0 by calling itself (Call or TailCall); `slow` is minus for other numbers.
  static std::vector<Instr> countdown(Op call, const NativeDef* slow) {
    return {wide(Op::LoadInt, 1, 1),                       // 0
            {Op::JumpUnlessLt, 0, 1, 1},                   // 1: to 3
            {Op::Return, 0, 0, 0},                         // 2
            {Op::LoadSelf, 2, 0, 0},                       // 3
            {Op::AddInt, 3, 0, 0xffff},                    // 4: minus one
            make_pointer_word(slow, 4),  {call, 0, 2, 1},  // 6
            {Op::Return, 0, 0, 0}};
  }
};

}  // namespace chancel
