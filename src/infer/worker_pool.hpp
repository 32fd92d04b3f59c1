// SPDX-License-Identifier: Apache-2.0
// Where the executions of an engine live and who runs them: one heap, one machine (with its own
// arena and random stream) for each thread that works on it. Between two barriers a worker writes
// only to its own machine and its own slice of the engine's arrays; only taking a new block of
// memory is shared, and locked. At a barrier no execution runs, and the heap is collected when that
// pays; code that keeps executions or values across a barrier registers them with add_roots().
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "infer/engine.hpp"
#include "infer/thread_team.hpp"
#include "vm/delay_hook.hpp"
#include "vm/row_space.hpp"

namespace chancel {

// Kinds of StreamName::child of this room, kept apart from those of others.
enum StreamKind : std::uint64_t {
  kSweepStream = 0x101,
  kStepStream = 0x102,
  kNodeStream = 0x103,
  kChainStream = 0x104,
  kPrefixStream = 0x106,
  kRecordingStream = 0x107
};
// Slots that are not particles.
inline constexpr std::uint32_t kResamplingSlot = 0xffffffffu;
inline constexpr std::uint32_t kSelectionSlot = 0xfffffffeu;

// One thread's share; padded so that two workers never write to one cache line.
struct alignas(64) Worker {
  std::unique_ptr<Executor> machine;
  std::unique_ptr<DelayHook> delayed_draws;  // of the machine; null: none are
  std::optional<Diagnostic> failure;         // of the first execution of its slice that failed
  std::uint64_t failed_at = 0;               // which one
  // counted since the last barrier
  std::uint64_t applications = 0;
  std::uint32_t running = 0;
  std::uint32_t finished = 0;
  std::uint32_t site = 0, other_site = 0;  // of the first particle, and the first other one
  bool has_site = false;
  bool mixed_sites = false;
  void stand_at(std::uint32_t where, bool first) {
    if (first) site = where;
    if (site == where || mixed_sites) return;
    other_site = where;
    mixed_sites = true;
  }
  bool estimated = false;  // an observe was (only known where draws are recorded)
  double largest = 0;
  std::vector<Value> draws;        // scratch
  std::vector<double> scores;      // scratch: of the observes of some particles at work
  std::vector<double> no_weights;  // zeros: the log weights of particles that were just resampled
  std::vector<std::pair<std::size_t, std::size_t>> ended_together;  // particles, in native code
  std::unique_ptr<RowSpace> rows;   // for those that native code leads; made when first used
  std::vector<RowBlock> blocks;     // of particles that rest there, since the last barrier
  std::vector<KeptCommon> commons;  // that native code has made since then
  std::uint32_t given = 0;          // of the execution at work: parameters taken so far
  double log_given = 0;             // and their log density since its last observe
};

class WorkerPool {
 public:
  // `team` may be null (one worker). Machines are made when first used.
  WorkerPool(const RunSetup& setup, ThreadTeam* team, std::size_t memory_limit);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  const RunSetup& setup() const { return setup_; }
  unsigned size() const { return static_cast<unsigned>(workers_.size()); }
  Worker& worker(unsigned index);
  Executor& machine(unsigned index = 0) { return *worker(index).machine; }
  Heap& heap() { return heap_; }
  // A stream of the engine itself (for resampling, acceptance ...).
  Stream stream(StreamName name, std::uint32_t slot, std::uint32_t step) const;

  // Calls work(worker, begin, end) for contiguous slices of 0 .. count-1, on as many workers as
  // pay.
  template <class Work>
  void for_slices(std::size_t count, std::size_t least_slice, Work&& work) {
    const unsigned parts = slices(count, least_slice);
    for (unsigned m = 0; m < parts; ++m) worker(m);  // made here, not on two threads
    if (parts == 1) {
      work(workers_[0], std::size_t{0}, count);
      return;
    }
    team_->run(parts,
               [&](unsigned m) { work(workers_[m], count * m / parts, count * (m + 1) / parts); });
  }
  unsigned slices(std::size_t count, std::size_t least_slice) const;
  bool observed() const;  // some machine has answered an observe
  // The failure of the first execution (by failed_at) that failed, if any, taken out.
  std::optional<Diagnostic> take_failure(std::uint64_t* failed_at = nullptr);

  // For engines that run parts of executions again: see Executor.
  void treat_hidden_draws(HiddenDraws how);
  void refuse_hidden_draws() { treat_hidden_draws(HiddenDraws::Refused); }
  // `count` executions will be kept, shared by `processes`: the heap grows accordingly before its
  // first collection.
  void expect_executions(std::size_t count, unsigned processes = 1);
  void add_roots(RootVisitor roots) { roots_.push_back({std::move(roots), false}); }
  // Roots that threads visit together, each its part of them (Evacuator::part).
  void add_shared_roots(RootVisitor roots) { roots_.push_back({std::move(roots), true}); }
  // At a barrier: collects when enough has been allocated.
  void collect_if_due();
  void collect();

 private:
  RunSetup setup_;
  Heap heap_;
  ThreadTeam* team_;
  std::vector<Worker> workers_;
  struct Roots {
    RootVisitor visit;
    bool shared;
  };
  std::vector<Roots> roots_;
  std::size_t expected_ = 0;
  HiddenDraws hidden_draws_ = HiddenDraws::Allowed;
};

inline bool draw_for(Executor& machine, Execution& execution, const Value& dist, Value* out) {
  return machine.draw_for(execution, dist, out);
}

}  // namespace chancel
