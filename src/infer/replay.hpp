// SPDX-License-Identifier: Apache-2.0
// Executions with given draws: the path of states that they make (rejuvenated and re-rooted
// retained executions), and the density of a retained future after another past (ancestor
// sampling).
#pragma once
#include <vector>

#include "infer/history.hpp"
#include "infer/prefix.hpp"

namespace chancel {

// Continues from `x` (at an observe, or where `prefix` stands) with `values` as its draws, in
// order, and makes the path of its states: these are added to path.steps, linked to `past`; the
// rest of the path is set. `goes_on`: draws after these come from their distributions. False: the
// failure in the machine.
bool replay_path(Executor& machine, Execution x, const Prefix* prefix,
                 const std::vector<Value>& values, History* past, RetainedPath& path,
                 bool goes_on = false);

// Why an execution that was run again with the same draws did something else.
Diagnostic not_repeated();

struct FutureDensity {
  double log_density = 0;  // of draws and observes; -inf: this past cannot have that future
  bool unknown = false;    // a draw came from a distribution that cannot be scored
};
// The part of its distribution (Fit) that each draw of the path after its observe number `barrier`
// belongs to, in order; none where the distributions cannot be scored. False: failure in the
// machine.
bool future_parts(Executor& machine, const RetainedPath& path, std::size_t barrier,
                  std::vector<std::uint64_t>* parts);
// The density of what the path did after its observe number `barrier` (from 0), had it been at `x`
// then. False: failure in the machine. The future includes where its observes stand between its
// draws: another order is another future.
bool future_density(Executor& machine, Execution x, const RetainedPath& path, std::size_t barrier,
                    const std::vector<std::uint64_t>& parts, FutureDensity* out);
// One stretch of it: `x` continues to the path's observe number `segment`, or to its end after the
// last one, with the parts of the stretch's draws. Adds to `out`; `finished`: `out` is complete.
bool future_stretch(Executor& machine, Execution& x, const RetainedPath& path, std::size_t segment,
                    const std::uint64_t* parts, FutureDensity* out, bool* finished);

}  // namespace chancel
