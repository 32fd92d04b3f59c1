// SPDX-License-Identifier: Apache-2.0
// One sweep of sequential Monte Carlo over a query: particles run to their next observe, are
// weighted and resampled, and go on until all have finished. With a retained path it is conditional
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
// Besides its executions a population holds their weights (ParticleWeights), descent (Genealogy) and
// what is kept for the next sweep (Recording); particles stored as rows and the native code that
// advances them; the slices of a sweep over ranks and the borders between them; and, for engines
// that move static parameters, the moves and what they need.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "infer/history.hpp"
#include "infer/native_code.hpp"
#include "infer/parameters.hpp"
#include "infer/prefix.hpp"
#include "infer/worker_pool.hpp"
#include "infer/zeroed_array.hpp"
#include "particles/genealogy.hpp"
#include "particles/lineages.hpp"
#include "particles/particle_weights.hpp"
#include "particles/recording.hpp"
#include "particles/resample_move.hpp"

namespace chancel {

class ByteWriter;
class ByteReader;

struct SweepSettings {
  std::uint32_t particles = 100;
  Resampling resampling = Resampling::Systematic;
  double ess_threshold = 1;   // resample when ESS < threshold * particles; 1 = always
  bool keep_history = false;  // so that any particle can become the retained path
  bool record_draws = false;  // with the history: every sampled value (slower: stops at samples)
  bool early_draws = false;   // of those only the ones before the first observe are looked at
  // Retained paths get other pasts (choose_ancestor): what they draw is known, whether or not all draws are recorded,
  // and native code is to do their futures, too.
  bool futures = false;
  std::uint64_t moves = 0;  // of each particle at each observe; draws are recorded then
  // Resample in the order of the last number that each particle drew (draws are recorded): with the
  // same random numbers, parameters nearby then give an evidence nearby.
  bool ordered = false;
  bool keep_lineages = false;  // so that another process can run any particle again
  unsigned slices = 1;         // of the particles, one for each of so many ranks
};

// Which threads work on a sweep. Sweeps that run at the same time on one workers use one worker
// each and do not collect.
struct SweepPlace {
  unsigned worker = 0;
  bool alone = true;
  // Every one of them has a slice of the particles, and all run this sweep at the same time (smc only:
  // no retained path, no history, no moves). Null: all particles are here.
  Ranks* ranks = nullptr;
};

class Population {
 public:
  Population(WorkerPool& workers, const SweepSettings& settings);

  // Runs a sweep. False: failure(). All weights zero is not a failure: alive() is false and
  // log_evidence() is -inf.
  bool run(StreamName name, RetainedPath* retained = nullptr, const SweepPlace& place = {});
  // Called at every barrier of a conditional sweep with weights at hand: says which particle the
  // retained path comes from (and may change the path from there on). Used by pgas.
  std::function<std::uint32_t(std::uint32_t barrier, RetainedPath& path)> choose_ancestor;

  // Particles take these instead of drawing, where `parameters` says so; null: nothing is given.
  // Draws are recorded.
  const GivenParameters* given = nullptr;
  const ParameterChoice* parameters = nullptr;
  // Names of the random numbers of so many barriers each, in place of the sweep's; empty: its own.
  std::vector<StreamName> blocks;
  std::uint32_t block_length = 1;

  std::uint32_t size() const { return settings_.particles; }
  bool alive() const { return alive_; }
  double log_evidence() const { return log_evidence_; }
  const SweepError& evidence_error() const { return evidence_error_; }  // by genealogy
  // At some observe only a few particles were left: another sweep may well die out.
  bool fragile() const { return fragile_; }
  const std::optional<Diagnostic>& failure() const { return failure_; }
  bool fail_with(const Diagnostic& d) {
    failure_ = d;
    return false;
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
  // The slots of a rank when all work on one sweep.
  std::pair<std::size_t, std::size_t> slice_of(unsigned rank) const {
    return {bounds_[rank], bounds_[rank + 1]};
  }

  // For those who lead its particles on their own ways; null: there is none, or not yet.
  NativeTier* native() const { return native_; }
  // Steps of such ways: they tell when native code pays.
  void count_steps(std::uint64_t steps) { steps_ever_ += steps; }
  const RunSetup& setup() const { return workers_.setup(); }

  const Prefix& prefix() const { return *prefix_; }  // once it has run
  WorkerPool& workers() { return workers_; }

  // The particles: finished once run() is back; at their observe in choose_ancestor.
  const Execution& execution(std::size_t i) const { return current_[i]; }
  const Value& result(std::size_t i) const { return results_[i]; }
  History* history(std::size_t i) const;
  double log_weight(std::size_t i) const { return weights_.log(i); }  // since the last resampling
  const Weights& weights() const { return weights_.now(); }           // of log_weight()
  // Particle i as the next retained path, where the sweep has followed this one.
  void retain(std::size_t i, RetainedPath& path) const { retain(i, path, path); }
  void retain(std::size_t i, RetainedPath& path, const RetainedPath& followed) const {
    const std::uint32_t end = recording_.end_slot(i);
    path.assign(history(i), current_[i], results_[i],
                end == kRetainedSlot ? followed.last_draws : recording_.last_draws(i), followed,
                name_, end);
  }
  // With futures, where draws are not recorded: those of the path that particle i has become. Its new stretches are run
  // again, from the same random numbers. False: failure().
  bool record_path(std::size_t i, RetainedPath& path);
  // At a barrier: the past of particle i, with its state here.
  History* history_to_here(std::size_t i);
  // Makes the execution with these names (RetainedPath::names) again. False: that cannot be, it does
  // something else now.
  bool rebuild(const std::vector<SegmentName>& names, RetainedPath& path);
  // The same with these draws, in order.
  bool rebuild(const std::vector<Value>& draws, RetainedPath& path);

  // What happened in the last run.
  const std::vector<BarrierStatistics>& barriers() const { return barriers_; }
  const FamilyTree& family_tree() const { return genealogy_.tree(); }  // empty unless asked for
  bool observed() const { return observed_; }
  bool aligned() const { return aligned_; }
  // Some observe gave an estimate. Known when draws are recorded.
  bool estimated() const { return estimated_; }
  std::uint32_t unaligned_site() const {
    return unaligned_site_;
  }  // an observe that some executions did not reach together
  std::uint64_t applications() const { return applications_; }
  std::uint64_t particle_steps() const { return particle_steps_; }
  // Moves after resamplings.
  std::uint64_t proposals() const {
    return other_proposals_ + (moves_ ? moves_->proposals() - proposals_before_ : 0);
  }
  std::uint64_t accepted() const {
    return other_accepted_ + (moves_ ? moves_->accepted() - accepted_before_ : 0);
  }
  // All particles are here from now on.
  void have_all() { slice_ = {0, settings_.particles}; }

  void visit(Evacuator& e);

 private:
  bool sweep(StreamName name, RetainedPath* retained, const SweepPlace& place);
  void make_room();
  void forget_particles();
  void begin(const SweepPlace& place);
  bool find_prefix(Executor& machine);
  // One sweep of several ranks: population_ranks.cpp.
  void take_slice(const SweepPlace& place);
  bool share_counts(Ranks& ranks, std::uint64_t applications_before);
  void share_weights(Ranks& ranks);
  bool few_survive(const SweepPlace& place) const;
  std::size_t usual_bound(unsigned rank, unsigned ranks) const;
  void draw_slice_of_parents(Stream& stream, Ranks& ranks);
  void find_children(Ranks& ranks);
  bool enter_slice(StreamName name, unsigned worker, Ranks& ranks);
  std::string pack_parents(std::size_t from, std::size_t to, Lineages::Path& told) const;
  bool bring_parents(StreamName name, unsigned worker, Ranks& ranks);
  struct Border;
  bool take_in_parents(StreamName name, Worker& worker, std::size_t from, std::size_t to,
                       const std::string& message, Border& border);
  SweepError share_evidence_error(Ranks& ranks);
  bool run_segment(Worker& worker, Execution& x, const SegmentName& step, std::uint32_t barrier,
                   Checkpoint& stop);
  void advance(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
               std::size_t to);
  class PastOfFamily;
  template <bool kHistory, bool kRecord>
  void advance_slice(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                     std::size_t to);
  void look_for_native_code(Executor& machine);
  bool all_have_parameters() const;
  void begin_rows(Worker& worker);
  template <bool kHistory, bool kRecord>
  void advance_natively(Worker& worker, StreamName name, std::uint32_t barrier, std::size_t from,
                        std::size_t to);
  // What native code did with these particles.
  template <bool kHistory, bool kRecord>
  void settle(Worker& worker, std::size_t from, const NativeProgress& done,
              const double* log_weights, const double* scores);
  History* with_state(Arena& arena, std::size_t particle, const Execution& x, History* past,
                      double score) const;
  void remember(Worker& worker, std::size_t from, std::size_t to, std::size_t ended);
  void give_pasts(Worker& worker, std::size_t from, std::size_t to);
  // Particles need no executions of their own where nobody but native code asks for them.
  bool rests_in_blocks() const { return !settings_.keep_history && !settings_.keep_lineages; }
  void take_blocks(unsigned first, unsigned count);
  void settle_ends(unsigned worker, unsigned workers, std::size_t all);
  void remember_draws(Worker& worker, std::size_t from, std::size_t to, const double* scores);
  void prefetch(std::size_t i, std::size_t to, const std::uint32_t* ancestors) const;
  bool go_on(Worker& worker, Execution& x, Checkpoint& stop, bool record);
  bool answer(Worker& worker, Execution& x, const Checkpoint& stop, Value* value);
  bool fail_parameter(Worker& worker, std::uint32_t site, const char* what);
  void follow(const RetainedPath& path, std::uint32_t barrier, Worker& worker);
  // Log density of the parameters that slot 0 has drawn in this segment of its path.
  double weight_of_given(Worker& worker, const ValueArray* draws, bool early);
  StreamName name_at(StreamName name, std::uint32_t barrier) const {
    return blocks.empty()
               ? name
               : blocks[std::min<std::size_t>(barrier / block_length, blocks.size() - 1)];
  }
  bool run_to_barrier(StreamName name, std::uint32_t barrier, RetainedPath* retained,
                      const SweepPlace& place);
  void resample(StreamName name, std::uint32_t barrier, RetainedPath* retained,
                const SweepPlace& place);
  // Single-site moves of the particles, whether or not they were resampled: a choice that depends on the
  // weights would bias the evidence.
  bool move(StreamName name, std::uint32_t barrier);
  void reset_weights();
  void follow_parents();

  WorkerPool& workers_;
  SweepSettings settings_;
  StreamName name_;         // of the last run
  bool following_ = false;  // it has a retained path
  std::optional<Prefix> prefix_;
  NativeCode native_code_;
  NativeTier* native_ = nullptr;  // null: not now
  bool natively_ = false;         // particles go to the next barrier so
  std::uint64_t steps_ever_ = 0;

  Execution execution_of(std::size_t i, Arena& arena) const {
    const RowBlock* const block = blocks_.empty() ? nullptr : find_block(blocks_, i);
    return block ? block->execution(i, arena) : current_[i];
  }

  ZeroedArray<Execution> current_, next_;      // next_[i] comes from current_[parent of i]
  std::vector<RowBlock> blocks_;               // of current_: what it has of these particles is old
  ZeroedArray<Value> results_, next_results_;  // of finished particles
  struct {
    std::size_t begin = 0, end = 0;
  } slice_;  // the particles that are here
  // Of the slices of all ranks: now, at the barrier before, at the next one; and of their offspring.
  std::vector<std::size_t> bounds_, bounds_before_, next_bounds_, child_bounds_;
  struct Border {  // with the slice of another rank
    struct Stage {
      Execution at;
      Value result = Value::nil();
    };
    Lineages::Path told, heard;  // of the last particle that crossed it, from here and from there
    std::vector<Stage> stages;   // of the latter, after each barrier
  };
  std::vector<Border> borders_;     // by rank
  bool all_weights_ = true;         // of all slices are here
  std::vector<double> piece_sums_;  // else: of the weights of all
  std::size_t last_with_weight_ = 0;
  bool distinct_here_ = false;  // the statistics of the last barrier count ancestors of this slice
  Lineages lineages_;
  ParticleWeights weights_;
  bool weights_are_old_ = false;  // those of particles that have not advanced since they were drawn
  bool ended_together_ = false;   // with the last turn, all of them: the generation before stays
  Genealogy genealogy_;
  InSlices in_slices_;  // for a large population on several threads
  Recording recording_;
  std::vector<double> keys_;          // the last numbers drawn, when resampling goes by them
  std::vector<std::uint32_t> order_;  // slots in the order of their keys
  std::optional<ResampleMove> moves_;
  std::uint64_t proposals_before_ = 0, accepted_before_ = 0;  // by earlier runs
  std::uint64_t other_proposals_ = 0, other_accepted_ = 0;    // in another process
  bool fresh_ = true;                                         // the particles stand at the prefix

  std::optional<Diagnostic> failure_;
  std::vector<BarrierStatistics> barriers_;
  std::uint64_t runs_ = 0;
  bool alive_ = true;
  bool observed_ = false;
  bool aligned_ = true;
  bool estimated_ = false;
  std::uint32_t unaligned_site_ = 0;
  double log_evidence_ = 0;
  SweepError evidence_error_;
  bool fragile_ = false;
  std::uint64_t applications_ = 0;
  std::uint64_t particle_steps_ = 0;
  // of the barrier at work
  double largest_ = 0;
  std::uint32_t running_ = 0;
  std::uint32_t finished_ = 0;
  std::uint32_t site_ = 0;
};

}  // namespace chancel
