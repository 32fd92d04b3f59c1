// SPDX-License-Identifier: Apache-2.0
// A branch whose condition is a node: both ways are followed, from the instructions, to where they meet, and what they
// leave in registers that are read again becomes a choice between two values. So (if (sample (flip p)) 1 -1) does not
// tie the recording to the way that it took. Ways may compute (calls of functions that have no effect), and branch
// themselves; where one draws, observes, fails, loops, makes a function or takes long, nothing has happened, and the
// branch is guarded.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "bytecode/code.hpp"
#include "bytecode/liveness.hpp"
#include "vm/record_hook.hpp"

namespace chancel {

// The recorder, as both ways need it.
class BranchRecorder {
 public:
  // The outcome of a comparison, which control does not depend on.
  enum class Asks : std::uint8_t {
    Truth,  // of `a`
    Less,   // a < b
    LessOrEqual,
    Equal,
  };
  struct Condition {
    Asks asks = Asks::Truth;
    Value node = Value::nil();  // nil: it is not a node, `now` holds always
    bool now = false;
  };
  // Each of these may fail: false, and what has been recorded since begin_trial() is to be forgotten.
  virtual bool condition(NativeContext& cx, Asks asks, const Value& a, const Value& b,
                         Condition* out) = 0;
  virtual bool compute(NativeContext& cx, const NativeDef* native, const Value* args,
                       std::uint32_t count, Value* out) = 0;
  virtual bool test_of(NativeContext& cx, SymbolicHook::Test what, bool opposite, const Value& v,
                       Value* out) = 0;
  virtual bool choose(NativeContext& cx, const Condition& condition, const Value& if_so,
                      const Value& if_not, Value* out) = 0;
  virtual void begin_trial() = 0;
  virtual void end_trial(bool forget) = 0;

 protected:
  ~BranchRecorder() = default;
};

class BothWays {
 public:
  explicit BothWays(BranchRecorder& recorder) : recorder_(recorder) {}
  // As RecordHook::meet.
  bool meet(NativeContext& cx, const CodeBlock& code, const Instr* jump, Value* registers,
            const Value* globals, RecordHook::Meeting* out);

 private:
  struct Way {
    const Instr* pc;
    std::vector<Value> slots;  // the function itself, then registers
    bool returned = false;
    Value result = Value::nil();
    Value& at(std::uint32_t reg) { return slots[reg + 1]; }
  };
  bool step(Way& way, const CodeBlock& code);
  bool branch(Way& way, const CodeBlock& code);
  bool follow_both(Way& one, Way& other, const CodeBlock& code);
  bool call(Way& way, std::uint32_t window, std::uint32_t count, Value* out);
  bool native(Way& way, const NativeDef* native, const Value* args, std::uint32_t count,
              std::uint32_t to);
  const Liveness& liveness(const CodeBlock& code);

  BranchRecorder& recorder_;
  NativeContext* cx_ = nullptr;
  const Value* globals_ = nullptr;
  int steps_left_ = 0, depth_ = 0;
  std::unordered_map<const CodeBlock*, std::unique_ptr<Liveness>> liveness_;
};

}  // namespace chancel
