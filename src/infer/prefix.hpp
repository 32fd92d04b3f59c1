// SPDX-License-Identifier: Apache-2.0
// The beginning that all executions of a query share: everything before the first random draw. It
// is run once and forked, with the observes that it meets already scored. When the beginning takes
// random numbers by a way that is no checkpoint (sample*, rand), it is not shared: `shared` is
// false and every execution starts at `at`.
#pragma once
#include <optional>
#include <vector>

#include "infer/crew.hpp"

namespace chancel {

struct Prefix {
  bool shared = false;
  Execution at;  // at the first sample, or finished, or (not shared) at the very start
  Stop kind = Stop::
      Sample;  // Sample or Result; Impossible: an observe before any draw has probability zero
  Value dist = Value::nil();  // of that sample
  std::uint32_t site = 0;
  Value id = Value::nil();
  Value result = Value::nil();
  double log_weight = 0;  // of its observes
  std::uint32_t observes = 0;

  // False: the failure in the machine.
  bool run(Machine& machine, const RunSetup& setup);
  void visit(Evacuator& e) {
    at.visit(e);
    e.visit(dist);
    e.visit(id);
    e.visit(result);
  }
};

}  // namespace chancel
