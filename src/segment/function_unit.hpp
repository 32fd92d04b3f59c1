// SPDX-License-Identifier: Apache-2.0
// Deterministic functions and loops as segments, for vm/hot_code.hpp. A callee is inlined or
// becomes a function of the same unit, one version for each combination of argument types. Return
// types are a least fixed point: no function returns at first, and the unit is translated until
// nothing changes.
#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "segment/abstract_values.hpp"
#include "value/native.hpp"

namespace chancel::segment {

class Lowering;

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
  // A function or a loop, with everything it calls; the first of them is where it is entered. Empty: it
  // cannot be translated. A call of it that leaves had no effect.
  std::vector<Function> function(const CodeBlock* code, const Value* registers, NativeContext& cx);
  std::vector<Function> loop(const CodeBlock* code, const Instr* head, const Value* registers,
                             NativeContext& cx);

  std::vector<GlobalKind> globals;  // assumptions
  // Tags that the registers must have on entry; slot 0 is the closure.
  struct Slot {
    std::int32_t reg;
    Tag tag;
    const FunctionProto* proto;
  };
  std::vector<Slot> slots;

  // For lowering.
  const CompiledFunction& callee(const FunctionProto* proto, const CodeBlock* code,
                                 std::vector<Type> arguments);
  const Value& global(std::uint32_t index);
  bool returns = false;  // some path completes without the interpreter

 private:
  // Translates until return types are a fixed point; `entry` gives the loop, if it is one.
  std::vector<Function> agree(NativeContext& cx,
                              const std::function<std::optional<Function>(Lowering&)>& entry);
  const Value* globals_;
  std::deque<CompiledFunction> functions_;
};

}  // namespace chancel::segment
