// SPDX-License-Identifier: Apache-2.0
// An executor that comes to the checkpoints of a list, whatever the answers, and remembers these.
#pragma once
#include <vector>

#include "vm/executor.hpp"

namespace chancel {

class ScriptedMachine final : public Executor {
 public:
  ScriptedMachine(Heap& heap, std::vector<Checkpoint> script)
      : Executor(heap), script_(std::move(script)) {}
  std::vector<Value> answers;  // of all resumes

  Execution start(const Value&, const Value*, std::uint32_t) override { return {}; }
  void resume(Execution& x, const Value& answer, Checkpoint& out) override {
    ++x.applications;
    answers.push_back(answer);
    out = script_.at(answers.size() - 1);
  }
  void resume_first(Execution& x, Checkpoint& out) override { resume(x, Value::nil(), out); }
  bool resume_sibling(Execution&, Checkpoint&) override { return false; }
  // Draws are 0.5; nil is not a distribution, and fails.
  bool draw_for(Execution&, const Value& dist, Value* out) override {
    *out = Value::real(0.5);
    if (dist.is_nil()) failure().message = "no distribution";
    return !dist.is_nil();
  }
  bool score_for(Execution&, const Value&, const Value&, double*) override { return false; }
  bool recorded_score_for(Execution&, const Value&, const Value&, Value*) override { return false; }
  bool fit_for(const Execution&, const Value&, const Value&, Fit*) override { return false; }
  bool probe_for(const Execution&, const Value&, const Value&, double*) override { return false; }
  NativeContext& context_for(const Execution&) override { std::abort(); }
  void record(RecordHook*) override {}
  void delay(DelayHook*) override {}
  HiddenDraws treat_hidden_draws(HiddenDraws) override { return HiddenDraws::Allowed; }

 protected:
  void collect_run(Execution&, Checkpoint&) override {}

 private:
  std::vector<Checkpoint> script_;
};

inline Checkpoint sample_at(std::uint32_t site) {
  Checkpoint stop;
  stop.kind = Stop::Sample;
  stop.site = site;
  stop.dist = Value::integer(site);
  return stop;
}
inline Checkpoint observe_at(std::uint32_t site, double log_prob) {
  Checkpoint stop;
  stop.kind = Stop::Observe;
  stop.site = site;
  stop.log_prob = log_prob;
  return stop;
}
inline Checkpoint result_of(double value) {
  Checkpoint stop;
  stop.kind = Stop::Result;
  stop.value = Value::real(value);
  return stop;
}

}  // namespace chancel
