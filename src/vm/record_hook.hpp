// SPDX-License-Identifier: Apache-2.0
// What the run loop asks a recorder (src/record/recorder.hpp; the idea is in
// docs/decisions/012-recorded-programs.md) besides the uses of symbolic values. A recorder answers
// samples and observes itself: they are not checkpoints.
#pragma once
#include "value/symbolic_hook.hpp"

namespace chancel {

// Takes the log density of a draw from a distribution that the program defines: only the machine can
// call its observe* (with nodes).
class DrawScoring {
 public:
  // What observe* gave; nil if it failed.
  virtual void draw_score(const Value& log_prob) = 0;

 protected:
  ~DrawScoring() = default;
};

struct RecordedSample {
  RecordedSample(const Value& v, DrawScoring* s = nullptr) : value(v), scoring(s) {}
  Value value;
  DrawScoring* scoring;  // null: needs no score from the machine
};

class RecordHook : public SymbolicHook {
 public:
  // A draw. `drawn` is one from a distribution that the program defines; null for others.
  virtual RecordedSample sample(NativeContext& cx, const Value& dist, std::uint32_t site,
                                const Value& id, const Value* drawn) = 0;
};

}  // namespace chancel
