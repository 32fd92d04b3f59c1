// SPDX-License-Identifier: Apache-2.0
// The interpreter, an executor of bytecode on one thread: a working stack (hot in cache, reused by
// every execution it resumes), an arena and a random stream. resume() thaws the top frame of an
// execution, runs to the next checkpoint and freezes what changed. Machines of a run share what
// does not change while they run (code, the image's globals, the heap's frozen objects), the run's
// limits, and the heap that they take blocks from.
//
// Collection inside a long run: when the arena has grown by its budget since the run began, live
// data of this run is evacuated at the next call or loop step; see heap.hpp for why other threads
// are not involved.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "bytecode/program.hpp"
#include "value/native.hpp"
#include "vm/executor.hpp"
#include "vm/frame.hpp"
#include "vm/host_services.hpp"
#include "vm/run_state.hpp"

namespace chancel {

class HotCode;

class Machine final : public Executor {
 public:
  // `globals` must stay valid and unchanged while the machine runs (a host machine may change its
  // own).
  Machine(Program& program, Value* globals, Heap& heap, bool in_query);
  ~Machine() override;

  Execution start(const Value& function, const Value* args, std::uint32_t count) override;
  using Executor::resume;
  void resume(Execution& execution, const Value& answer, Checkpoint& out) override;
  void resume_first(Execution& execution, Checkpoint& out) override;
  bool resume_sibling(Execution& execution, Checkpoint& out) override;
  bool draw_for(Execution& execution, const Value& dist, Value* out) override;
  bool score_for(Execution& execution, const Value& dist, const Value& x,
                 double* log_prob) override;
  bool recorded_score_for(Execution& execution, const Value& dist, const Value& x,
                          Value* log_prob) override;
  bool fit_for(const Execution& execution, const Value& dist, const Value& x, Fit* out) override;
  bool probe_for(const Execution& execution, const Value& dist, const Value& x,
                 double* log_prob) override;
  HiddenDraws treat_hidden_draws(HiddenDraws how) override {
    const HiddenDraws before = !cx_.stream        ? HiddenDraws::Refused
                               : cx_.notes_hidden ? HiddenDraws::Noted
                                                  : HiddenDraws::Allowed;
    cx_.stream = how == HiddenDraws::Refused ? nullptr : &stream;
    cx_.notes_hidden = how == HiddenDraws::Noted;
    return before;
  }

  NativeContext& context_for(const Execution& execution) override {
    cx_.world = execution.world;
    cx_.status = NativeContext::Status::Ok;
    return cx_;
  }
  void record(RecordHook* recorder) override;
  void delay(DelayHook* hook) override;

  enum class Entry { Resume, Sibling, Nested, NestedRecording };
  // Runs a function to its end without checkpoints (methods of user distributions, macros). False:
  // failure() says why.
  bool call(const Value& function, const Value* args, std::uint32_t count, Value* out,
            Entry entry = Entry::Nested);

  // A method of a distribution that the program defines; `recorded`: with nodes.
  bool call_method(const Value& method, const Value* args, std::uint32_t count, Value* out,
                   bool recorded);

  // What the program threw with the failure; nil: nothing.
  const Value& failure_payload() const { return failure_payload_; }
  // Draws from and scores any distribution, also user-defined ones. False: failure() says why.
  // Scores are for engines, which compare them: an observe* that draws is refused here. (An observe
  // calls it as a part of the execution.)
  bool draw(const Value& dist, Value* out);
  bool score(const Value& dist, const Value& x, double* log_prob);
  // What observe* of a distribution that the program defines gives: a number, or a node.
  bool call_score(const Value& dist, const Value& x, Value* out);

  World* first_world = nullptr;  // what an execution remembers when it starts
  Value* globals;
  Program& program;
  RootVisitor extra_roots;  // of a host machine: its globals

  NativeContext& context() { return cx_; }
  void set_run(Run* run) { cx_.watch = cx_.run = run; }
  bool in_query() const { return cx_.in_query; }
  // Calls of functions that may never end fail (L002) after this many applications in all.
  static constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};
  void allow_work(std::uint64_t applications) { work_left_ = applications; }
  std::uint64_t work_left() const { return work_left_; }
  void set_nursery(std::size_t bytes) { nursery_ = bytes; }
  // At the next safe point.
  void collect_soon() { alarm_ = true; }

 private:
  struct Call {  // a caller that waits
    const CodeBlock* code;
    const Instr* pc;
    Value* base;
    std::uint16_t dst;
    FrameKind kind;
  };
  struct Stack {
    std::unique_ptr<Value[]> slots;
    std::unique_ptr<Call[]> calls;
    Value* end = nullptr;      // slots past here are margin for stub frames
    Frame* below = nullptr;    // frozen frames under the bottom
    Call* call_top = nullptr;  // next free entry, written back before slow paths
    explicit Stack(std::size_t size);
  };
  // What the run loop needs to start again just before a draw. Small: a deep stack is cheaper to
  // thaw than to copy.
  struct FirstDraw {
    static constexpr std::size_t kMostSlots = 64;
    static constexpr std::size_t kMostCalls = 8;
    bool wanted = false;  // by the run in progress
    bool held = false;
    const CodeBlock* code = nullptr;
    const Instr* at = nullptr;  // the sample
    Value* base = nullptr;
    Frame* below = nullptr;
    World* world = nullptr;
    Predicts* predicts = nullptr;
    std::uint64_t applications = 0;  // since the run began
    std::size_t slot_count = 0;
    std::size_t call_count = 0;
    Value slots[kMostSlots];
    Call calls[kMostCalls];
  };
  struct Registers {  // the run loop's own state, for its slow paths
    const CodeBlock* code;
    const Instr* pc;
    Value* base;
    Call* call_top;
    std::uint16_t dst;
    FrameKind kind;
    Value* window;
    std::uint32_t count;
  };

  void run(Stack& stack, Execution& execution, const Value& answer, Entry entry, Checkpoint& out) {
    // Methods of distributions get plain numbers, also while the program is recorded, unless it is
    // their log density that is recorded.
    if (CHANCEL_UNLIKELY(cx_.symbolic != nullptr) && entry != Entry::Nested)
      run_loop<true>(stack, execution, answer, entry, out);
    else
      run_loop<false>(stack, execution, answer, entry, out);
  }
  template <bool kSymbolic>
  void run_loop(Stack& stack, Execution& execution, const Value& answer, Entry entry,
                Checkpoint& out);
  void guarded_run(Execution& execution, const Value& answer, Entry entry, Checkpoint& out);
  // Remembers the state before the draw at this instruction, of which `live` registers are in use.
  void hold_first_draw(const Stack& stack, const Call* top, const CodeBlock* code, const Instr* at,
                       Value* base, std::size_t live, std::uint64_t applications);
  // Draws what the result and the predicts still put off, the newest first. False: see cx_.
  bool draw_outputs(Value* result);
  void collect_run(Execution& execution, Checkpoint& stop) override;
  // Freezes all callers on the stack; `base` is the current frame's, which stays. stack.below is
  // the new top.
  void freeze_callers(Stack& stack, Call* top, Value* base);
  void collect(Stack& stack, Value* live_end, bool nested);
  // Applications between two looks at clock and interrupt: about a tenth of a millisecond.
  static constexpr std::int64_t kFuel = 16384;
  bool check_limits();        // false: cx_.failure says which
  HotCode* hot_code() const;  // null: not used, as limits count what is interpreted
  void spend_work(std::uint64_t applications);
  // Makes failure_ of what a distribution reported in cx_.
  void take_failure();
  // The innermost place in the user's own text at which the execution waits.
  Span place_of(const Execution& execution) const;
  // Makes failure_ from cx_.failure at this instruction, with the call stack.
  void fail_at(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base);
  // The same for an exception that ends the run (see within_memory), in its handler. `pc` is after the
  // instruction at work.
  void fail_where_thrown(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base);
  // Passes cx_.failure to the host, as a warning at this instruction.
  void note_at(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base);
  void fail_with_exception(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base,
                           const Value& exception);
  bool has_handler(const Stack& stack) const;
  // Finds the handler of an exception: registers and call window are set for calling it.
  bool unwind(Registers& r, Stack& stack, const Value& exception);
  // Finds the catch of a tag and puts the value there.
  bool unwind_to_tag(Registers& r, Stack& stack, const Value& tag, const Value& value);
  void become(Registers& r, Stack& stack, Frame* frame);
  Value exception_value();
  Stack& stack_at(std::size_t level);

  // The hook of cx_.symbolic while draws are put off; null: none are, or the program is recorded.
  DelayHook* delay_hook() const { return recorder_ ? nullptr : delay_; }

  NativeContext cx_;
  RecordHook* recorder_ = nullptr;
  DelayHook* delay_ = nullptr;
  Value failure_payload_ = Value::nil();
  const char* failure_type_ = nullptr;
  Predicts* predicts_ = nullptr;
  bool probing_ = false;                        // runs end when their fuel does
  Stack first_stack_;                           // for resume
  std::vector<std::unique_ptr<Stack>> stacks_;  // for nested calls, by level
  std::size_t nesting_ = 0;
  std::uint32_t resumes_ = 0;
  std::uint64_t work_left_ = kAnyWork;
  FirstDraw first_draw_;
  // collection inside a run
  bool alarm_ = false;
  std::size_t nursery_ = std::size_t{16} << 20;
  Arena::Mark young_mark_{};
  bool young_is_run_ = true;  // young_mark_ has not been set since the run began
  std::size_t major_at_ = std::size_t{64} << 20;
};

}  // namespace chancel
