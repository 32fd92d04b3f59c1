// SPDX-License-Identifier: Apache-2.0
// How many executions from the prior fail (a distribution that refuses its parameters, an index out of bounds). Engines
// that treat a failure as impossible condition on its absence: users should know how much they leave out. The streams
// are those of the run, not of a chain, so all chains find the same. Programs with improper priors give nothing. Cost:
// about a thousand executions.
#pragma once
#include "infer/worker_pool.hpp"

namespace chancel {

struct FailingShare {
  unsigned executions = 0, failing = 0;
  std::optional<Diagnostic> first;  // failure
};
// At a barrier. A limit of the run ends it early.
FailingShare find_failing_share(WorkerPool& workers);

}  // namespace chancel
