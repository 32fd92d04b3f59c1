// SPDX-License-Identifier: Apache-2.0
// One sweep of sequential Monte Carlo over a query: particles run to their next observe, are
// weighted and resampled, and continue until all have finished. With a retained path it is conditional
// SMC: slot 0 follows the path, whatever happens to the others. smc, pimh, pgibbs, pgas and ipmcmc
// are made of this.
//
// Observes are aligned by occurrence: at barrier t every particle that is still running stands at
// its (t+1)-th observe. Particles that have finished stay in the population with the weight they
// have (their increment is 1) and are resampled with the others, so the evidence is right also when
// executions have different numbers of observes.
//
// Cost per particle and barrier: one resume, one exp, one draw of the resampling scheme; 32 bytes
// copied. Nothing is allocated outside the heap once the arrays have their size. Particles are in
// contiguous slices, one for each thread; sums go over chunks of fixed size, random numbers by slot
// and barrier: the same bits for any number of threads.
//
// The particles themselves, with weights, descent and past, are in Particles. What this has besides: what a sweep
// is given (GivenPath), native code that advances particles (NativeSweep), the slices of ranks (SweepAcrossRanks),
// moves of particles (ResampleMove), and what came of it (SweepOutcome).
#pragma once
#include <optional>
#include <vector>

#include "infer/history.hpp"
#include "infer/prefix.hpp"
#include "infer/worker_pool.hpp"
#include "particles/given_path.hpp"
#include "particles/native_sweep.hpp"
#include "particles/particles.hpp"
#include "particles/resample_move.hpp"
#include "particles/sweep_across_ranks.hpp"
#include "particles/sweep_outcome.hpp"
#include "particles/sweep_settings.hpp"

namespace chancel {

class Population {
 public:
  Population(WorkerPool& workers, const SweepSettings& settings);

  // Runs a sweep. False: failure(). All weights zero is not a failure: alive() is false and
  // log_evidence() is -inf.
  bool run(StreamName name, RetainedPath* retained = nullptr, const SweepPlace& place = {});
  // What sweeps are given besides.
  GivenPath& given() { return given_; }

  std::uint32_t size() const { return settings_.particles; }
  // What happened in the last run.
  const SweepOutcome& outcome() const { return outcome_; }
  bool alive() const { return outcome_.alive; }
  double log_evidence() const { return outcome_.log_evidence; }
  const std::optional<Diagnostic>& failure() const { return outcome_.failure; }
  bool fail_with(const Diagnostic& d) { return outcome_.fail(d); }
  const FamilyTree& family_tree() const {  // empty unless asked for
    return particles_.genealogy.tree();
  }

  // --- A sweep of another process ---
  // What it found, but for the values: population_bytes.cpp.
  void pack_outcome(ByteWriter& out) const;
  bool unpack_outcome(ByteReader& in);  // false: in.problem()
  // The particles of some slots as emit_particles shows them. False: a value has no byte form, and
  // `problem` says which.
  bool pack_particles(ByteWriter& out, std::size_t from, std::size_t to,
                      std::string* problem) const;
  bool unpack_particles(ByteReader& in, std::size_t from, std::size_t to);
  // The slots of a rank when all work on one sweep; and once all particles have been brought here.
  SweepAcrossRanks::Slice slice_of(unsigned rank) const { return ranks_.slice_of(rank); }
  void have_all() { ranks_.have_all(); }

  // For those who lead its particles on their own ways; null: there is none, or not yet.
  NativeTier* native() const { return native_.tier(); }
  const RunSetup& setup() const { return workers_.setup(); }

  const Prefix& prefix() const { return *prefix_; }  // once it has run
  WorkerPool& workers() { return workers_; }

  // The particles: finished once run() is back; at their observe in choose_ancestor.
  const Execution& execution(std::size_t i) const { return particles_.states.now[i]; }
  const Value& result(std::size_t i) const { return particles_.states.results[i]; }
  double log_weight(std::size_t i) const {  // since the last resampling
    return particles_.weights.log(i);
  }
  const Weights& weights() const { return particles_.weights.now(); }  // of log_weight()
  // Particle i as the next retained path, where the sweep has followed this one.
  void retain(std::size_t i, RetainedPath& path) const { retain(i, path, path); }
  void retain(std::size_t i, RetainedPath& path, const RetainedPath& followed) const;
  // With futures, where draws are not recorded: those of the path that particle i has become. Its new stretches are run
  // again, from the same random numbers. False: failure().
  bool record_path(std::size_t i, RetainedPath& path);
  // Stretch `number` of a path that only sweeps have made, from the random numbers that its name says: its draws, as
  // History has them, and its log density. False: it does something else now, or there is no room.
  bool repeat_stretch(const RetainedPath& path, std::size_t number, std::vector<Value>* draws,
                      double* log_density);
  // Log density of these draws; NaN where one has none.
  double score_draws(Execution x, const Value* draws, std::size_t count);
  // At a barrier: the past of particle i, with its state here.
  History* history_to_here(std::size_t i);
  // Makes the execution with these names (RetainedPath::names) again. False: that cannot be, it does
  // something else now.
  bool rebuild(const std::vector<SegmentName>& names, RetainedPath& path);
  // The same with these draws, in order.
  bool rebuild(const std::vector<Value>& draws, RetainedPath& path);

 private:
  bool sweep(const SweepPlace& place);
  void begin(const SweepPlace& place);
  void visit(Evacuator& e);
  bool find_prefix(Executor& machine);
  bool run_to_barrier(std::uint32_t barrier, const SweepPlace& place);
  bool enter_slice(unsigned worker);
  void advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
               std::size_t to);
  void interpret(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                 std::size_t to);
  template <bool kHistory, bool kRecord>
  void advance_slice(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                     std::size_t to);
  bool add_up(unsigned first, unsigned count, const SweepPlace& place);
  bool few_survive() const;
  bool go_on(Worker& worker, Execution& x, bool fresh, Checkpoint& stop, bool record);
  bool run_segment(Worker& worker, Execution& x, std::uint32_t slot, std::uint32_t barrier,
                   Checkpoint& stop);
  StreamName name_at(std::uint32_t barrier) const { return given_.name_at(name_, barrier); }
  void resample(std::uint32_t barrier, const SweepPlace& place);
  bool keeps_tree() const { return setup().keep_descent && runs_ <= kKeptSweeps; }
  // Single-site moves of the particles, whether or not they were resampled: a choice that depends on the
  // weights would bias the evidence.
  bool move(std::uint32_t barrier);
  bool move_particles(StreamName name, std::uint32_t barrier);
  void follow_parents();

  WorkerPool& workers_;
  SweepSettings settings_;
  Particles particles_;
  GivenPath given_;
  NativeSweep native_;
  SweepAcrossRanks ranks_;
  std::optional<ResampleMove> moves_;
  std::optional<Prefix> prefix_;
  InSlices in_slices_;                // for a large population on several threads
  std::vector<std::uint32_t> order_;  // slots in the order of their keys
  StreamName name_;                   // of the last run
  std::uint64_t runs_ = 0;
  SweepOutcome outcome_;  // of the last run
  BarrierTotals totals_;  // of the barrier at work
};

}  // namespace chancel
