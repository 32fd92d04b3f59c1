// SPDX-License-Identifier: Apache-2.0
// The bytecode machine of one thread: a working stack (hot in cache, reused by every execution it
// resumes), an arena and a random stream. resume() thaws the top frame of an execution, runs to the
// next checkpoint and freezes what changed. Machines share only what is immutable: code, the
// image's globals, and the heap's frozen objects.
//
// Collection inside a long run: when the arena has grown by its budget since the run began, live
// data of this run is evacuated at the next call or loop step; see heap.hpp for why that needs no
// look at other threads.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "bytecode/program.hpp"
#include "diag/diagnostic.hpp"
#include "random/stream.hpp"
#include "value/native.hpp"
#include "vm/execution.hpp"
#include "vm/run_limits.hpp"

namespace chancel {

// Services of the outer world that natives need: implemented by the session (api).
class HostServices {
 public:
  virtual ~HostServices() = default;
  // The next element of a foreign stream (doquery): false at its end.
  virtual bool next_of_stream(std::uint64_t index, class Machine& machine, Value* out) = 0;
  // A function of no arguments that evaluates the form; or a failure in cx.
  virtual Value compile(NativeContext& cx, const Value& form) = 0;
  // The program image that nested inference runs against.
  virtual std::shared_ptr<Image> image() = 0;
  // A nested inference estimates how far its draws are off (total variation). From any thread.
  virtual void note_nested_bias(double) {}
};

class Machine {
 public:
  // `globals` must stay valid and unchanged while the machine runs (a host machine may change its
  // own).
  Machine(Program& program, Value* globals, Heap& heap, bool in_query);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // An execution that will call `function` with at most four arguments.
  Execution start(const Value& function, const Value* args, std::uint32_t count);
  // Runs to the next checkpoint. `answer` is the value of the sample that it waits for.
  void resume(Execution& execution, const Value& answer, Checkpoint& out);
  Checkpoint resume(Execution& execution, const Value& answer) {
    Checkpoint out;
    resume(execution, answer, out);
    return out;
  }

  // A family of executions goes on from one state with different random numbers: up to their first
  // draw they are the same. resume_first is a resume that remembers where that was; resume_sibling
  // starts the next one there. False: nothing is remembered, resume as usual.
  // Observes are asked for, samples are not.
  void resume_first(Execution& execution, Checkpoint& out);
  bool resume_sibling(Execution& execution, Checkpoint& out);
  void forget_first_draw() { first_draw_.held = false; }

  // Runs a function to its end without checkpoints (methods of user distributions, macros). False:
  // failure() says why.
  bool call(const Value& function, const Value* args, std::uint32_t count, Value* out);

  // Draws from and scores any distribution, also user-defined ones. False: failure() says why.
  // Scores are for engines, which compare them: an observe* that draws is refused here. (An observe
  // calls it as a part of the execution.)
  bool draw(const Value& dist, Value* out);
  bool score(const Value& dist, const Value& x, double* log_prob);
  // Scores a value that no program has drawn: an observe* that was not written for it may fail or
  // run on without end, and is given up then. `log_prob` is NaN in both cases. False: a limit.
  bool probe(const Value& dist, const Value& x, double* log_prob);

  Wants wants;
  Stream stream;
  double log_weight = 0;  // of the run in progress, when observes are answered here
  // Where an observe that was answered here had an estimated log-probability, plus one; 0 = nowhere.
  std::uint32_t estimated_site = 0;
  bool observed = false;  // set when one was answered here
  RunLimits* limits = nullptr;
  HostServices* host = nullptr;
  World* first_world = nullptr;  // what an execution remembers when it starts
  Value* globals;
  Program& program;
  RootVisitor extra_roots;  // of a host machine: its globals

  Arena& arena() { return arena_; }
  // Where the arena stood when the last resume began.
  const Arena::Mark& run_mark() const { return run_mark_; }
  NativeContext& context() { return cx_; }
  Diagnostic& failure() { return failure_; }
  // Host services and samplers that run inference report a failure of theirs with this.
  void set_failure(Diagnostic d) {
    failure_ = std::move(d);
    failure_pending_ = true;
  }
  void set_sampling_failure(Diagnostic d) {
    failure_ = std::move(d);
    sampling_failed_ = true;
  }
  bool in_query() const { return cx_.in_query; }
  // Draws that are no checkpoints (rand, sample* outside methods of distributions) fail from now on:
  // for engines that run parts of executions again and could not repeat them.
  void refuse_hidden_draws() { cx_.stream = nullptr; }
  void allow_hidden_draws() { cx_.stream = &stream; }
  bool hidden_draws_allowed() const { return cx_.stream != nullptr; }
  // Calls of functions that may never end fail (L002) after so many applications in all.
  static constexpr std::uint64_t kAnyWork = ~std::uint64_t{0};
  void allow_work(std::uint64_t applications) { work_left_ = applications; }
  std::uint64_t work_left() const { return work_left_; }
  void set_nursery(std::size_t bytes) { nursery_ = bytes; }
  // The machine that runs on this thread right now (for natives of the vm room), or null.
  static Machine* current();

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
    Object* world = nullptr;
    Predicts* predicts = nullptr;
    std::uint64_t applications = 0;  // since the run began
    std::size_t slot_count = 0;
    std::size_t call_count = 0;
    Value slots[kMostSlots];
    Call calls[kMostCalls];
  };
  enum class Entry { Resume, Sibling, Nested };
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

  void run(Stack& stack, Execution& execution, const Value& answer, Entry entry, Checkpoint& out);
  void guarded_run(Execution& execution, const Value& answer, Entry entry, Checkpoint& out);
  // Remembers the state before the draw at this instruction, of which `live` registers are in use.
  void hold_first_draw(const Stack& stack, const Call* top, const CodeBlock* code, const Instr* at,
                       Value* base, std::size_t live, std::uint64_t applications);
  void fail_for_memory(std::size_t limit, Checkpoint& out);
  // Freezes all callers on the stack; `base` is the current frame's, which stays. stack.below is
  // the new top.
  void freeze_callers(Stack& stack, Call* top, Value* base);
  void collect(Stack& stack, Value* live_end, bool nested);
  // Applications between two looks at clock and interrupt: about a tenth of a millisecond.
  static constexpr std::int64_t kFuel = 16384;
  bool check_limits();  // false: cx_.failure says which
  void spend_work(std::uint64_t applications);
  // Makes failure_ from cx_.failure at this instruction, with the call stack.
  void fail_at(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base);
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

  Arena arena_;
  NativeContext cx_;
  Diagnostic failure_;
  Value failure_payload_ = Value::nil();
  Predicts* predicts_ = nullptr;
  bool sampling_failed_ = false;                // a nested inference inside a sampler failed
  bool probing_ = false;                        // runs end when their fuel does
  bool failure_pending_ = false;                // a host service failed: failure_ is complete
  Stack first_stack_;                           // for resume
  std::vector<std::unique_ptr<Stack>> stacks_;  // for nested calls, by level
  std::size_t nesting_ = 0;
  std::uint32_t resumes_ = 0;
  std::uint64_t work_left_ = kAnyWork;
  FirstDraw first_draw_;
  // collection inside a run
  bool alarm_ = false;
  std::size_t nursery_ = std::size_t{16} << 20;
  Arena::Mark run_mark_{};
  Arena::Mark young_mark_{};
  bool young_is_run_ = true;  // young_mark_ has not been set since the run began
  std::size_t major_at_ = std::size_t{64} << 20;
};

}  // namespace chancel
