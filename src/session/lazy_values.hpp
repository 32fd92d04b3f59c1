// SPDX-License-Identifier: Apache-2.0
// Evaluates the lazy values that were made outside queries, before a run starts: all executions
// then read the same data, even if it was drawn by sample* or rand. A sequence may be infinite, and
// a delay may never return, so the number of elements and the work are bounded (both counted, not
// timed, so that a seed gives the same data everywhere). The rest is evaluated inside the query by
// each execution separately, which gives the same values unless it draws: that is marked
// (LazySeq::kDraws) and refused there. No value is tried twice (LazySeq::kTried).
#pragma once
#include <vector>

#include "vm/machine.hpp"

namespace chancel {

class LazyValues {
 public:
  // `seq` and `force` are the library's functions.
  LazyValues(Machine& host, const Heap& constants, const Value& seq, const Value& force);
  // All that can be reached from the roots.
  void work_out(const std::vector<Value>& roots);

 private:
  // False: it failed or took too long.
  bool force_one(const Value& cell);
  void force_sequence(const Value& first);

  Machine& host_;
  const Heap& constants_;
  Value seq_, force_;
  std::uint64_t elements_left_;  // of all sequences
  std::uint64_t work_left_;      // applications, for all values
};

}  // namespace chancel
