// SPDX-License-Identifier: Apache-2.0
// A Markov chain of conditional SMC sweeps: particle Gibbs (the paper's Algorithm 1; Andrieu,
// Doucet & Holenstein 2010). The first sweep is plain SMC; every later one keeps the retained
// execution in slot 0, whatever follows, and draws the next retained one from all particles by
// their final weights.
#pragma once
#include <optional>

#include "infer/evidence.hpp"
#include "particles/population.hpp"

namespace chancel {

class ConditionalSweeps {
 public:
  ConditionalSweeps(WorkerPool& workers, const SweepSettings& settings);

  // One sweep. False: failure(), or the first sweeps died out and failure() is empty.
  bool step(StreamName name, const SweepPlace& place = {});
  // Draws the next retained execution from the last sweep. False: failure().
  bool choose_retained(StreamName name);

  Population& sweep() { return sweep_; }
  const Population& sweep() const { return sweep_; }
  RetainedPath& retained() { return retained_; }
  // The evidence comes from plain sweeps: the very first one (that of the first one with survivors
  // would be too large on average), and one after every kSweepsPerEstimate sweeps. Call it after
  // choose_retained(); the particles of the last sweep are lost. False: failure().
  bool estimate_evidence(StreamName name, EngineStatistics& statistics);
  const std::optional<Diagnostic>& failure() const { return sweep_.failure(); }
  // With the retained execution by its names (only where nothing but sweeps has made it).
  void save(ByteWriter& to) const;
  bool restore(ByteReader& from);
  // With the retained execution by its draws, which the sweeps record. False: one cannot be written.
  bool save_draws(ByteWriter& to, const ByteNames& names) const;
  bool restore_draws(ByteReader& from, const ByteNames& names);

 private:
  void save_counts(ByteWriter& to) const;
  void restore_counts(ByteReader& from);

  WorkerPool& workers_;
  Population sweep_;
  RetainedPath retained_;
  std::uint64_t died_ = 0;    // first sweeps without a survivor
  std::uint64_t sweeps_ = 0;  // with a survivor
  LogMoments evidence_;       // of plain sweeps
};

}  // namespace chancel
