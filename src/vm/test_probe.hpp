// SPDX-License-Identifier: Apache-2.0
// What tests change in runs, all of it: programs run without a probe.
#pragma once
#include <cstdint>

#include "random/stream.hpp"

namespace chancel {

struct TestProbe {
  Stream::Source* source = nullptr;  // where every random number of a run comes from; null: streams
  std::uint32_t native_leaves = 0;   // every k-th particle is left to the interpreter; 0: none
  bool hot_sooner = false;           // fuel ends early, so that loops and functions are soon hot

  // For all machines of the process, and the runs that are given no other; null: none.
  static inline const TestProbe* of_process = nullptr;
};

}  // namespace chancel
