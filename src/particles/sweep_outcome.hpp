// SPDX-License-Identifier: Apache-2.0
// What a sweep has found, beside its particles: evidence, statistics of its barriers, what it cost. It
// travels as bytes from the process that ran a sweep to the one that has the draws.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "infer/evidence.hpp"
#include "infer/sink.hpp"
#include "math/log_space.hpp"

namespace chancel {

class ByteWriter;
class ByteReader;

struct SweepOutcome {
  std::optional<Diagnostic> failure;
  bool alive = true;  // false: all weights are zero
  bool fragile =
      false;  // at some observe only a few particles were left: another sweep may well die out
  bool observed = false;
  bool aligned = true;  // all executions met the same observes
  bool estimated =
      false;  // some observe gave an estimate, in this sweep or one before; known when draws are recorded
  std::uint32_t unaligned_site = 0;  // an observe that some executions did not reach together
  double log_evidence = 0;
  SweepError evidence_error;  // by genealogy
  std::uint64_t applications = 0;
  std::uint64_t particle_steps = 0;
  std::uint64_t proposals = 0, accepted = 0;  // of moves after resampling
  std::vector<BarrierStatistics> barriers;

  void begin();  // of another sweep
  bool fail(Diagnostic why) {
    failure = std::move(why);
    return false;
  }
  void write(ByteWriter& out) const;
  bool read(ByteReader& in);  // false: in.problem()
};

// Of the barrier that particles have come to, summed over workers and ranks.
struct BarrierTotals {
  double largest = kLogZero;  // log weight
  std::uint32_t running = 0;
  std::uint32_t finished = 0;
  std::uint32_t site = 0;  // where those that are running stand
};

}  // namespace chancel
