// SPDX-License-Identifier: Apache-2.0
// Independent sweeps one after the other, for engines whose sweeps do not depend on each other
// (smc, pimh). Many particles: one sweep at a time with its particles across the threads. Few:
// several sweeps ahead, one on each thread, each with a heap of its own. Both give the same sweeps
// in the same order. A sweep that was handed out stays as it is until it is released.
//
// With other ranks: many particles are sliced among them (sweep_across_ranks.hpp); of few, each rank runs
// sweeps whose numbers the first one gives out, and sends what it found.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "particles/population.hpp"

namespace chancel {

class SweepFeed {
 public:
  // `expected`: sweeps that will be asked for, as far as one knows; 0: no end.
  SweepFeed(const RunSetup& setup, ThreadTeam* team, const SweepSettings& settings,
            std::uint64_t expected = 0);
  // The next sweep; null: failure().
  Population* next();
  void release(Population* sweep);
  // Before the first: continues at sweep `number`, after a run that was stopped.
  void go_on_at(std::uint64_t number) { asked_ = given_out_ = number; }
  // One of those again; null: failure().
  Population* again(std::uint64_t number);
  const std::optional<Diagnostic>& failure() const { return failure_; }
  std::size_t peak_memory() const;
  // Other ranks than the first: works for it until it ends the run (RunIsOver).
  void help();

 private:
  struct Slot {
    WorkerPool workers;
    Population sweep;
    bool ok = true;
    Slot(const RunSetup& setup, ThreadTeam* team, std::size_t limit, const SweepSettings& settings)
        : workers(setup, team, limit), sweep(workers, settings) {}
  };
  Slot* free_slot();
  void run(std::uint64_t from, std::uint64_t count);  // into ready_
  StreamName name_of(std::uint64_t number) const { return setup_.name.child(kSweepStream, number); }
  // One sweep of all ranks.
  void run_wide(std::uint64_t number);
  bool gather_particles(Population& sweep);
  // Sweeps of other ranks.
  std::uint64_t take_numbers();  // how many of them from given_out_ on
  void give_orders();
  void take_in();
  void unpack(Slot& slot, const std::string& message);
  bool cannot_send(Population& sweep, const std::string& problem);

  RunSetup setup_;
  ThreadTeam* team_;
  SweepSettings settings_;
  std::uint64_t expected_;
  unsigned ahead_;     // sweeps that are run at a time
  bool wide_ = false;  // all ranks run each sweep together
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> free_;
  std::map<std::uint64_t, Slot*> ready_;
  std::uint64_t asked_ = 0;      // sweeps handed out
  std::uint64_t given_out_ = 0;  // numbers given to a rank
  std::map<std::uint64_t, std::string> arrived_;
  std::vector<std::uint64_t> at_work_;  // sweeps, by rank
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
