// SPDX-License-Identifier: Apache-2.0
// Functions and loops of plain values in C, for vm/hot_code.hpp: what they call is inlined, or is a
// function of the same unit, once for each kind of arguments. What they give is found by supposing
// that nothing does, and translating until what was supposed and what is found agree.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "native/writer.hpp"
#include "value/native.hpp"

namespace chancel::native {

class Translator;

struct CompiledFunction {
  std::size_t number = 0;
  const FunctionProto* proto = nullptr;
  const CodeBlock* code = nullptr;
  bool has_self = false;  // the closure is its first argument
  std::vector<Type> arguments;
  std::optional<Type> gives;  // none: as far as is known, nothing
};

// What was taken for granted of a global: functions are these, others have this tag.
struct GlobalKind {
  std::uint32_t index;
  Tag tag;
  const void* function;  // proto or native
};

class FunctionUnit {
 public:
  explicit FunctionUnit(const Value* globals) : globals_(globals) {}
  // The C of `int64_t entry(cn_batch* b, cn_value* registers)`, with all that it calls; empty: nothing
  // came of it. A function leaves what it gives in b->results and gives 0, a loop gives the instruction
  // where it goes on, both -1 where nothing was done.
  std::string function(const CodeBlock* code, const Value* registers, NativeContext& cx);
  std::string loop(const CodeBlock* code, const Instr* head, const Value* registers,
                   NativeContext& cx);

  std::vector<Value> constants;
  std::vector<const void*> pointers;
  std::vector<GlobalKind> globals;  // that it counts on
  // Tags of the registers that it begins with; slot 0 is the closure.
  struct Slot {
    std::int32_t reg;
    Tag tag;
    const FunctionProto* proto;
  };
  std::vector<Slot> slots;

  // For the translator.
  const CompiledFunction& callee(const FunctionProto* proto, const CodeBlock* code,
                                 std::vector<Type> arguments);
  const Value& global(std::uint32_t index);
  bool returns = false;  // there is a way out that is not the interpreter's

 private:
  // Translates until what functions give is as supposed; `entry` gives the text behind them.
  std::string agree(NativeContext& cx, const std::function<std::string(Translator&)>& entry);
  static std::string entry_of(const CompiledFunction& f);
  const Value* globals_;
  std::deque<CompiledFunction> functions_;
};

}  // namespace chancel::native
