// SPDX-License-Identifier: Apache-2.0
// What the run loop asks a recorder (src/record/recorder.hpp; the idea is in
// docs/decisions/012-recorded-programs.md) besides the uses of symbolic values. A recorder answers
// samples and observes itself: they are not checkpoints.
#pragma once
#include "value/symbolic_hook.hpp"

namespace chancel {

struct CodeBlock;  // bytecode/code.hpp
struct Instr;

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
  // Control depends on a node, at this jump, with these registers (before them the function itself). True: both ways
  // were followed to where they meet, and the registers have what either way gives there. False: nothing has happened,
  // and control asks for the node.
  struct Meeting {
    const Instr* next;     // null: both return
    std::uint16_t result;  // the register with what they return
  };
  virtual bool meet(NativeContext& /*cx*/, const CodeBlock& /*code*/, const Instr* /*jump*/,
                    Value* /*registers*/, const Value* /*globals*/, Meeting* /*out*/) {
    return false;
  }
  // What a test gives, or the opposite, as a value that control does not depend on yet.
  virtual Value tested(NativeContext& cx, Test what, bool opposite, const Value& node) {
    return Value::boolean(test(cx, what, node) != opposite);
  }
};

}  // namespace chancel
