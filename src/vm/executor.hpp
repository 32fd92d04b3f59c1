// SPDX-License-Identifier: Apache-2.0
// The interface between engines and the interpreter (vm/machine.hpp, its only implementation): start
// an execution, resume it to its next checkpoint, fork it (copy the Execution), drop it (forget it).
// Native code for segments is not an executor: it advances batches of particles stored as rows
// (infer/native_tier.hpp), which are converted to and from the frames of an Execution (vm/row.hpp).
// An executor serves one thread; those of a run share what does not change while
// they run, the run's limits, and the heap that they take blocks from.
#pragma once
#include <memory>
#include <vector>

#include "diag/diagnostic.hpp"
#include "random/stream.hpp"
#include "vm/execution.hpp"

namespace chancel {

class DelayHook;      // vm/delay_hook.hpp
class NativeContext;  // value/native.hpp
class RecordHook;     // vm/record_hook.hpp
struct Fit;           // value/dist_object.hpp
struct Image;         // bytecode/program.hpp
struct Run;           // vm/run_state.hpp

// What becomes of draws outside sample (rand, sample* outside methods of distributions): they fail,
// they are drawn, or they are drawn and one warning says that engines do not see them.
enum class HiddenDraws : std::uint8_t { Refused, Allowed, Noted };

class Executor {
 public:
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // An execution that will call `function` with at most four arguments.
  virtual Execution start(const Value& function, const Value* args, std::uint32_t count) = 0;
  // Runs to the next checkpoint. `answer` is the value of the sample that it waits for.
  virtual void resume(Execution& execution, const Value& answer, Checkpoint& out) = 0;
  Checkpoint resume(Execution& execution, const Value& answer) {
    Checkpoint out;
    resume(execution, answer, out);
    return out;
  }
  // Several executions resume from one state with different random numbers: up to their first
  // draw they are the same. resume_first is a resume that remembers where that was; resume_sibling
  // starts the next one there. False: nothing is remembered, resume as usual.
  // Observes are asked for, samples are not.
  virtual void resume_first(Execution& execution, Checkpoint& out) = 0;
  virtual bool resume_sibling(Execution& execution, Checkpoint& out) = 0;

  // Draws from and scores any distribution, also one that the program defines, whose methods may
  // read what the execution remembers. False: failure() says why.
  virtual bool draw_for(Execution& execution, const Value& dist, Value* out) = 0;
  virtual bool score_for(Execution& execution, const Value& dist, const Value& x,
                         double* log_prob) = 0;
  // The score of a value that may hold nodes, while a recorder is set, by a distribution that the
  // program defines.
  virtual bool recorded_score_for(Execution& execution, const Value& dist, const Value& x,
                                  Value* log_prob) = 0;
  // As score_for, for distributions with several parts (DistType::fit).
  virtual bool fit_for(const Execution& execution, const Value& dist, const Value& x, Fit* out) = 0;
  // A score that the program did not ask for: NaN when it fails or takes long. False: a limit was
  // reached.
  virtual bool probe_for(const Execution& execution, const Value& dist, const Value& x,
                         double* log_prob) = 0;

  // What natives may use that are called between two resumes of this execution.
  virtual NativeContext& context_for(const Execution& execution) = 0;

  // While a recorder is set (null: none), executions are recorded: samples and observes go to it and
  // are not checkpoints. A recorded execution is not collected.
  virtual void record(RecordHook* recorder) = 0;
  // From now on draws are put off where the hook can (null: none are), except while a recorder is set.
  virtual void delay(DelayHook* hook) = 0;

  // From now on. Engines that run parts of executions again and rely on the same outcome refuse
  // them. Gives what was so before.
  virtual HiddenDraws treat_hidden_draws(HiddenDraws how) = 0;

  // Reduces what the last resume has allocated to what it keeps, when that is much. (Inside a resume
  // the executor collects for itself; this is for many of a few megabytes each between two barriers.)
  void collect_run_if_due(Execution& execution, Checkpoint& stop) {
    constexpr std::size_t kManyBlocks = 8;  // 2 MiB
    if (CHANCEL_UNLIKELY(arena_.mark().blocks > run_mark_.blocks + kManyBlocks))
      collect_run(execution, stop);
  }

  Wants wants;
  bool ignores_observes = false;          // they are neither scored nor asked for: the prior alone
  Stream stream;                          // named by the engine before it resumes
  double log_weight = 0;                  // of the run in progress, when observes are answered here
  std::vector<double>* scores = nullptr;  // where each of these observes is noted; null: nowhere
  // Where an observe that was answered here had an estimated log-probability, plus one; 0 = nowhere.
  std::uint32_t estimated_site = 0;
  bool observed = false;     // set when an observe was answered here
  bool drew_hidden = false;  // set when a hidden draw was noted
  Arena& arena() { return arena_; }
  Diagnostic& failure() { return failure_; }

 protected:
  explicit Executor(Heap& heap) : arena_(heap) {}
  virtual void collect_run(Execution& execution, Checkpoint& stop) = 0;

  Arena arena_;
  Arena::Mark run_mark_{};  // where the arena stood when the last resume began
  Diagnostic failure_;
};

// The interpreter over an image, for code inside a query. `world` is what its executions remember
// when they start; `nesting` is how many runs of other queries this one is inside.
std::unique_ptr<Executor> make_interpreter(Image& image, Heap& heap, Run* run, World* world,
                                           int nesting = 0);

}  // namespace chancel
