// SPDX-License-Identifier: Apache-2.0
// The prefix that all executions of a query share: everything before the first sample. It is run
// once and forked, with the observes that it meets already scored. Hidden draws (sample*, rand)
// before the first sample or observe are part of it, and shared by all chains of a run and under
// all engines, as Anglican's warm-up does; it ends at a hidden draw after an observe.
#pragma once
#include <optional>
#include <vector>

#include "infer/worker_pool.hpp"

namespace chancel {

struct Prefix {
  Execution at;
  // Sample: waits for a draw from `dist`. Observe: has been scored there, resumes with nil. Result:
  // has ended. Impossible: an observe before any draw has probability zero.
  Stop kind = Stop::Sample;
  Value dist = Value::nil();
  std::uint32_t site = 0;
  Value id = Value::nil();
  Value result = Value::nil();
  double log_weight = 0;  // of its observes
  std::uint32_t observes = 0;
  std::vector<ObserveScore> scores;  // of them

  // False: the failure in the machine.
  bool run(Executor& machine, const RunSetup& setup);
  void visit(Evacuator& e) {
    at.visit(e);
    e.visit(dist);
    e.visit(id);
    e.visit(result);
  }
};

}  // namespace chancel
