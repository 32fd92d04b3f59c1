// SPDX-License-Identifier: Apache-2.0
// Ancestor sampling for conditional SMC (Lindsten, Jordan & Schoen 2014): at a barrier the retained
// execution's future gets a new past, particle i with probability proportional to its weight times
// the density of that future after i. Programs are not Markovian, so it is the density of the whole
// future, found by replaying the recorded draws after each particle, on all threads.
#pragma once
#include <optional>
#include <vector>

#include "infer/replay.hpp"
#include "particles/conditional_sweeps.hpp"

namespace chancel {

class AncestorSampling {
 public:
  // Makes the chain's sweeps do it. Their settings have `futures`.
  AncestorSampling(WorkerPool& workers, ConditionalSweeps& chain);
  // Streams of the sweep to come.
  void set_streams(StreamName name) { name_ = name; }
  // What went wrong during the last sweep, if anything.
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  std::uint32_t choose(std::uint32_t barrier, RetainedPath& path);
  void re_root(std::uint32_t chosen, std::uint32_t barrier, RetainedPath& path);

  WorkerPool& workers_;
  ConditionalSweeps& chain_;
  StreamName name_;
  std::vector<std::uint64_t> parts_;  // of the distributions of the retained future's draws
  std::vector<FutureDensity> futures_;
  std::vector<double> chances_;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
