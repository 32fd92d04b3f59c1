// SPDX-License-Identifier: Apache-2.0
// Independent sweeps one after the other, for engines whose sweeps do not depend on each other
// (smc, pimh). Many particles: one sweep at a time with its particles across the threads. Few:
// several sweeps ahead, one on each thread, each with a heap of its own. Both give the same sweeps
// in the same order. A sweep that was handed out stays as it is until it is released.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "infer/population.hpp"

namespace chancel {

class SweepFeed {
 public:
  SweepFeed(const RunSetup& setup, ThreadTeam* team, const SweepSettings& settings);
  // The next sweep; null: failure().
  Population* next();
  void release(Population* sweep);
  // Before the first: so many are done already.
  void go_on_at(std::uint64_t number) { made_ = number; }
  // One of those again; null: failure().
  Population* again(std::uint64_t number);
  const std::optional<Diagnostic>& failure() const { return failure_; }
  std::size_t peak_memory() const;

 private:
  struct Lane {
    WorkerPool workers;
    Population sweep;
    bool ok = true;
    Lane(const RunSetup& setup, ThreadTeam* team, std::size_t limit, const SweepSettings& settings)
        : workers(setup, team, limit), sweep(workers, settings) {}
  };
  Lane* free_lane();

  RunSetup setup_;
  ThreadTeam* team_;
  SweepSettings settings_;
  unsigned ahead_;  // sweeps that are run at a time
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<Lane*> free_;
  std::deque<Lane*> ready_;
  std::uint64_t made_ = 0;
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
