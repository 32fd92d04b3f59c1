// SPDX-License-Identifier: Apache-2.0
// The passes that rewrite a segment between lowering and machine code, in their order. Each leaves a
// correct segment (verify.cpp), and none is needed for correctness.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "segment/ir.hpp"

namespace chancel::segment {

// A parameter that every jump gives the same value is that value.
void remove_parameters(Function& function);
// What has been computed on every way to an instruction is not computed again.
void merge_common(Function& function);
// Total instructions on values of the batch or the family leave the code where particles differ.
void hoist(Function& function);
// Instructions whose value only some ways need move to these ways.
void sink(Function& function);
// Where the objects that resting particles have in common are not held by particles themselves,
// another batch may have equal ones in their place.
void find_escapes(Function& function);
// What no instruction needs is removed.
void remove_dead(Function& function);

struct Pass {
  std::string_view name;
  const char* doc;
  void (*run)(Function& function);
};
std::span<const Pass> passes();
bool is_pass(std::string_view name);

// Sees each pass after it has run, with the seconds that it took.
using PassObserver =
    std::function<void(const Pass& pass, const Function& function, double seconds)>;
// Runs those that `wanted` chooses; empty: all.
void run_passes(Function& function, const std::function<bool(const Pass&)>& wanted = {},
                const PassObserver& observer = {});

}  // namespace chancel::segment
