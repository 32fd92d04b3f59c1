// SPDX-License-Identifier: Apache-2.0
// Deterministic functions and loops translated to C, for vm/hot_code.hpp. A callee is inlined or
// becomes a function of the same unit, one version for each combination of argument types. Return
// types are a least fixed point: no function returns at first, and the unit is translated until
// nothing changes.
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
  std::optional<Type> gives;  // return type; none: so far, no path returns
};

// An assumption about a global: a function is this one, another value has this tag.
struct GlobalKind {
  std::uint32_t index;
  Tag tag;
  const void* function;  // proto or native
};

class FunctionUnit {
 public:
  explicit FunctionUnit(const Value* globals) : globals_(globals) {}
  // The C of `int64_t entry(cn_batch* b, cn_value* registers)` with everything it calls; empty: it
  // cannot be translated. A function stores its value in b->results and returns 0, a loop returns
  // the instruction where the interpreter resumes; both return -1 when they had no effect.
  std::string function(const CodeBlock* code, const Value* registers, NativeContext& cx);
  std::string loop(const CodeBlock* code, const Instr* head, const Value* registers,
                   NativeContext& cx);

  std::vector<Value> constants;
  std::vector<const void*> pointers;
  std::vector<GlobalKind> globals;  // assumptions
  // Tags that the registers must have on entry; slot 0 is the closure.
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
  bool returns = false;  // some path completes without the interpreter

 private:
  // Translates until return types are a fixed point; `entry` gives the text that follows the
  // functions.
  std::string agree(NativeContext& cx, const std::function<std::string(Translator&)>& entry);
  static std::string entry_of(const CompiledFunction& f);
  const Value* globals_;
  std::deque<CompiledFunction> functions_;
};

}  // namespace chancel::native
