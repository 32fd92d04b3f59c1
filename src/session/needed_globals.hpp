// SPDX-License-Identifier: Apache-2.0
// The globals that a query can reach: those that its code names, the code of those, and so on. Only
// they go into the image that it runs against. What a script has computed before (draws of earlier
// queries, above all) is neither copied for each new run nor, where it is lazy, worked out for it.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bytecode/program.hpp"
#include "value/heap.hpp"

namespace chancel {

struct FunctionProto;

// Code does not change, so what it names is looked up once.
class NeededGlobals {
 public:
  explicit NeededGlobals(Program& program) : program_(program) {}
  // By index; all of them when the code can evaluate forms, which may name anything. Constants of
  // the program are always there: they are shared and cost nothing.
  std::vector<bool> of(const std::vector<Value>& roots);

 private:
  struct Names {
    std::vector<std::uint32_t> globals;
    bool anything = false;
  };
  const Names& named_by(const FunctionProto* proto);

  Program& program_;
  std::unordered_map<const FunctionProto*, Names> names_;
};

}  // namespace chancel
