// SPDX-License-Identifier: Apache-2.0
// How a kept value fits the distribution of its draw, and whether two distributions can be compared
// there. Engines that score an old value under a new distribution (single-site moves, ancestor
// sampling) may only divide densities with respect to one measure: see Fit in
// value/dist_object.hpp.
#pragma once
#include "infer/worker_pool.hpp"
#include "math/log_space.hpp"
#include "value/dist_object.hpp"

namespace chancel {

// The fit of x to a distribution that can be scored, at an execution that waits for its draw (what
// observe* of a user-defined one remembers is dropped). False: failure in the machine.
bool fit_at(Executor& machine, const Execution& at, const Value& dist, const Value& x, Fit* out);

// Both distributions can give the value, with densities with respect to the same measure.
inline bool comparable(const Fit& a, const Fit& b) {
  return a.part == b.part && a.log_prob != kLogZero && b.log_prob != kLogZero;
}

// The draw is a number from a continuous distribution on the real line or a part of it, so that a
// walk may move it.
bool is_on_line(const Value& distribution, const Value& draw);

}  // namespace chancel
