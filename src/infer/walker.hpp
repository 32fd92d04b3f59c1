// SPDX-License-Identifier: Apache-2.0
// How engines run an execution: from checkpoint to checkpoint, where a source answers the draws and an
// observer sees the observes; either may leave the walk there. Executions from the prior, with the draws of
// another one, up to their next draw, or recorded as they run differ in these two only.
//
// Two loops resume executions by themselves: that of the prefix, which walks begin with, and the hottest one
// of a population, whose particles are families of siblings (Executor::resume_sibling).
#pragma once
#include "infer/prefix.hpp"
#include "vm/memo_calls.hpp"

namespace chancel {

class Walker {
 public:
  explicit Walker(Executor& machine) : machine_(&machine) {}

  Execution at;
  Checkpoint stop;  // where it stands, once it has run

  // --- Where it begins ---
  // Where all executions do: at the draw after the prefix, or after its last observe, or at its end.
  void begin(const Prefix& prefix) {
    at = prefix.at;
    stop = {};
    stop.kind = prefix.kind;
    stop.dist = prefix.dist;
    stop.site = prefix.site;
    stop.id = prefix.id;
    stop.value = prefix.result;
    rests_ = prefix.kind == Stop::Observe;
    answer_ = Value::nil();
  }
  // At an execution at rest: one that was started, has passed an observe, or waits for a draw, which gets
  // this value.
  void begin(const Execution& x, const Value& answer = Value::nil()) {
    at = x;
    rests_ = true;
    answer_ = answer;
  }
  // At a draw that an execution waits for.
  void begin_at_draw(const Execution& x, const Value& dist, std::uint32_t site,
                     const Value& id = Value::nil()) {
    at = x;
    rests_ = false;
    stop = {};
    stop.kind = Stop::Sample;
    stop.dist = dist;
    stop.site = site;
    stop.id = id;
  }
  // A query from its start.
  void begin(const RunSetup& setup) { begin(machine_->start(setup.query, &setup.argument, 1)); }
  // Of executions that leave much garbage on their way: it is collected (Executor::collect_run_if_due).
  Walker& collecting() {
    collects_ = true;
    return *this;
  }

  // Runs until a source or an observer leaves, or to the end, and says where it stands. `source(walker, &value)`
  // gives the value of the draw at walker.stop, `observer(walker)` sees the observe there; false: leave. Of
  // draws and observes only those that machine.wants asks for come here.
  template <class Source, class Observer>
  Stop run(Source&& source, Observer&& observer) {
    if (rests_) {
      rests_ = false;
      go_on(answer_);
    }
    for (;;) {
      Value answer = Value::nil();
      if (stop.kind == Stop::Sample) {
        if (!source(*this, &answer)) break;
      } else if (stop.kind != Stop::Observe || !observer(*this)) {
        break;
      }
      go_on(answer);
    }
    return stop.kind;
  }

  // --- For sources and observers ---
  // A value from the distribution of the draw. False: it has failed.
  bool draw(Value* value) { return machine_->draw_for(at, stop.dist, value) || failed(); }
  // It stands at a draw that is made once for the arguments of a memoised function.
  bool remembered() const { return inside_memo(at); }
  bool failed() {  // machine.failure() says why
    stop.kind = Stop::Failed;
    return false;
  }
  bool fail(Diagnostic why) {
    machine_->failure() = std::move(why);
    return failed();
  }

 private:
  void go_on(const Value& answer) {
    machine_->resume(at, answer, stop);
    if (collects_) machine_->collect_run_if_due(at, stop);
  }

  Executor* machine_;  // so that walkers can be copied: two that go different ways
  bool collects_ = false;
  bool rests_ = false;  // it continues with this answer
  Value answer_ = Value::nil();
};

// A source that draws all values from their distributions.
inline constexpr auto from_prior = [](Walker& walker, Value* value) { return walker.draw(value); };
// A source or an observer that leaves, and an observer that never does.
inline constexpr auto leave = [](Walker&, auto*...) { return false; };
inline constexpr auto pass = [](Walker&) { return true; };

}  // namespace chancel
