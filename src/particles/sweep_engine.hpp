// SPDX-License-Identifier: Apache-2.0
// The base of engines whose steps are sweeps of a population: reports a sweep's barriers and
// genealogy to the sink, adds its counts to the statistics, and emits its particles as draws.
#pragma once
#include "infer/guarded_engine.hpp"
#include "particles/population.hpp"

namespace chancel {

class SweepEngine : public GuardedEngine {
 public:
  using GuardedEngine::GuardedEngine;

 protected:
  // A sweep's barriers, counts and warnings (I004, I005), each warning once per run.
  void report_sweep(const Population& sweep, std::uint64_t number, Sink& sink);
  // The particles of a sweep; returns how many. Their weights are relative to `log_mean`:
  // particle weights average to exp(log_mean).
  std::uint64_t emit_particles(const Population& sweep, std::uint64_t number, double log_mean,
                               Sink& sink);

  void save_counts(ByteWriter& to) const final;
  void restore_counts(ByteReader& from) final;

 private:
  void report_family_tree(const Population& sweep, std::uint64_t number, Sink& sink);

  std::uint64_t barriers_ = 0;
  unsigned family_trees_ = 0;  // reported
  std::uint64_t resampled_ = 0;
};

}  // namespace chancel
