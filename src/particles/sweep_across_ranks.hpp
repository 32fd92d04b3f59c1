// SPDX-License-Identifier: Apache-2.0
// One sweep of several ranks (docs/decisions/023-ranks.md). Each has a slice of the slots, runs it to the next
// observe, and weighs it. Sums of weights are gathered, and each rank draws the offspring of its particles, which
// is its next slice, about (sweep_borders.cpp). Without ranks the slice is all slots, and nothing is sent.
//
// The sweep itself (Population) says how a particle of another rank is run again here: from the slots of its
// ancestors, which name its random numbers.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "infer/worker_pool.hpp"
#include "particles/lineages.hpp"
#include "particles/particles.hpp"
#include "particles/sweep_outcome.hpp"

namespace chancel {

class SweepAcrossRanks {
 public:
  struct Slice {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };
  // Runs a particle that stands in the slice of another rank.
  struct Rerun {
    // From where `x` stands (nowhere at barrier 0) to this barrier, with the random numbers of a slot; a result
    // where it ends. False: SweepOutcome::failure.
    std::function<bool(std::uint32_t barrier, std::uint32_t slot, Execution& x, Value* result)>
        segment;
    std::function<void(Execution& x)> adopt;  // once it has come to where the others are
  };

  SweepAcrossRanks(WorkerPool& workers, const SweepSettings& settings, Particles& particles)
      : workers_(workers), settings_(settings), particles_(particles) {}

  void begin(Ranks* ranks);  // of a sweep; null: all particles are here
  const Slice& slice() const { return slice_; }
  Slice slice_of(unsigned rank) const { return {bounds_[rank], bounds_[rank + 1]}; }
  void have_all() { slice_ = {0, settings_.particles}; }

  // --- At each barrier, in this order; all ranks call the same ---
  // The slice after a resampling, with the parents of its particles. False: outcome.failure.
  bool enter(const Rerun& rerun, SweepOutcome& outcome);
  // Where others may ask for the particles of the slice: who descends from whom.
  void keep_lineages();
  // What slices report of the barrier is added up, as workers do within one. `need_weights`: those of all particles are
  // to be here. False: some rank has failed, outcome.failure.
  bool share_counts(std::uint64_t applications_before, bool need_weights, BarrierTotals& totals,
                    SweepOutcome& outcome);
  // The weights of the slice, and sums of all slices.
  void share_weights(double largest);
  // A count of particles in the slice, in all slices together.
  std::size_t add_up(std::size_t here) const;
  bool has_all_weights() const { return all_weights_; }
  // Draws the parents of the next generation where only the sums of the others' weights are here.
  void draw_parents(Stream& stream, const InSlices& in_slices);
  // After a draw from all weights.
  void find_children();
  // The first rank has it; it reports the sweep.
  SweepError evidence_error();

  void visit(Evacuator& e);

 private:
  struct Border {  // with the slice of another rank
    struct Stage {
      Execution at;
      Value result = Value::nil();
    };
    Lineages::Path sent, received;  // of the last particle that crossed it
    std::vector<Stage> stages;      // of the latter, after each barrier
  };
  std::size_t usual_bound(unsigned rank) const;
  std::string pack_parents(std::size_t from, std::size_t to, Lineages::Path& sent) const;
  bool bring_parents(const Rerun& rerun, SweepOutcome& outcome);
  bool take_in_parents(const Rerun& rerun, std::size_t from, std::size_t to,
                       const std::string& message, Border& border, SweepOutcome& outcome);

  WorkerPool& workers_;
  const SweepSettings& settings_;
  Particles& particles_;
  Ranks* ranks_ = nullptr;
  Slice slice_;  // the particles that are here
  // Of the slices of all ranks: now, at the barrier before, at the next one; and of their offspring.
  std::vector<std::size_t> bounds_, bounds_before_, next_bounds_, child_bounds_;
  std::vector<Border> borders_;     // by rank
  bool all_weights_ = true;         // of all slices are here
  std::vector<double> piece_sums_;  // else: of the weights of all
  std::size_t last_with_weight_ = 0;
  bool distinct_here_ = false;  // the statistics of the last barrier count ancestors of this slice
  Lineages lineages_;
};

}  // namespace chancel
