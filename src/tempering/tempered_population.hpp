// SPDX-License-Identifier: Apache-2.0
// The states of a tempered run, and the starts that are chosen among them. Chains are independent between
// two temperatures: they are divided among the ranks (tempered_ranks.hpp), and those of a rank among its
// lanes, one for a thread. Each lane has a heap of its own, and starts are copied to one that stands still.
//
// All ranks call the same functions in the same order. Afterwards each of them knows of all states what the
// next temperature needs; the draws of a state are known to the rank that made it.
#pragma once
#include <memory>
#include <span>

#include "tempering/tempered_lane.hpp"
#include "tempering/tempered_ranks.hpp"

namespace chancel {

class TemperedPopulation {
 public:
  // Each of `chains` chains has `length` states.
  TemperedPopulation(const RunSetup& setup, ThreadTeam* team, MoveKind kind, std::size_t chains,
                     std::size_t length);

  std::vector<TemperedState>& states() { return states_; }
  const std::vector<TemperedState>& states() const { return states_; }
  const std::vector<TemperedState>& starts() const { return starts_; }

  // All of these: false: failure().
  // `count` more states, draws from the prior, of which there were `before` already. Those that
  // contradict the observations have a likelihood of zero.
  bool draw_prior(StreamName name, std::uint64_t before, std::size_t count);
  // These states, in ascending order, are where the next chains start.
  bool take_starts(const std::vector<std::size_t>& chosen);
  // Records the starts, where that can be done.
  bool locate_starts(StreamName name);
  // A step size of nuts, at a start.
  bool find_step_size(std::size_t start, StreamName name, double temperature, MoveTuning* tuning);
  // The chains, whose states take the place of those before.
  bool run_chains(StreamName name, const TemperedTuning& tuning,
                  std::vector<TemperedFigures>* figures);
  // What the states give, on the first rank.
  bool bring_outputs();

  const std::optional<Diagnostic>& failure() const { return failure_; }
  bool failed_together() const { return failed_together_; }  // all ranks know it
  bool observed() const;                                     // some execution has, on any rank
  std::size_t peak_memory() const;

 private:
  template <class Work, class Write, class Read>
  bool in_lanes(std::size_t count, Work&& work, Write&& write, Read&& read);
  bool exchange(const std::optional<TemperedRanks::Failure>& mine, ByteWriter& out,
                const TemperedRanks::Read& read);
  bool fail(Diagnostic why, bool together);
  void place(std::size_t i, TemperedState* state) const;
  void copy_starts(const std::vector<std::size_t>& chosen, Arena& arena);
  bool bring_starts(const std::vector<std::size_t>& chosen, Arena& arena);
  std::span<TemperedState> states_of(std::size_t chain) {
    return std::span(states_).subspan(chain * length_, length_);
  }

  const RunSetup& setup_;
  ThreadTeam* team_;
  TemperedRanks ranks_;
  std::size_t length_;
  std::vector<TemperedState> states_, starts_;
  std::vector<std::unique_ptr<TemperedLane>> lanes_;
  // Values of the starts of the chains at work, and of those before.
  std::unique_ptr<RunValues> here_, before_;
  bool observed_ = false;
  std::optional<Diagnostic> failure_;
  bool failed_together_ = false;
};

}  // namespace chancel
