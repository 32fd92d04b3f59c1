// SPDX-License-Identifier: Apache-2.0
// The base of engines whose executions come one by one from proposals other than the prior (lais,
// bbvb): weights and draws of executions, and the evidence as their mean.
#pragma once
#include "engines/give_up.hpp"
#include "infer/guarded_engine.hpp"
#include "infer/guided_run.hpp"

namespace chancel {

class GuidedEngine : public GuardedEngine {
 public:
  explicit GuidedEngine(const RunSetup& setup)
      : GuardedEngine(setup),
        workers_(setup, nullptr, setup.max_memory),
        runs_(workers_),
        evidence_(setup.wanted_draws) {}

 protected:
  // The random numbers of the i-th execution of this step, which are drawn from first.
  Stream& stream_of(std::uint64_t i) {
    Stream& stream = workers_.machine().stream;
    stream.reset(setup_.name.child(kSweepStream, number_), static_cast<std::uint32_t>(i), 0);
    return stream;
  }
  bool run(const Proposer& propose, GuidedRun* out) {
    workers_.collect_if_due();  // what the execution before has left
    return runs_.run(propose, out) || fail(*runs_.failure());
  }
  // The i-th execution of this step.
  bool run(std::uint64_t i, const Proposer& propose, GuidedRun* out) {
    stream_of(i);
    return run(propose, out);
  }
  void give(const GuidedRun& run, double log_weight, Sink& sink,
            const Value& variational = Value::nil()) {
    ++statistics_.simulations;
    statistics_.applications += run.end.applications;
    evidence_.add(log_weight, log_weight != kLogZero || setup_.keep_impossible ? 1 : 0, false);
    if (log_weight == kLogZero) {
      ++statistics_.zero_weight;
      if (!setup_.keep_impossible) return;
    }
    EngineDraw draw;
    draw.predicts = run.end.predicts;
    draw.result = run.result;
    draw.log_weight = log_weight;
    draw.variational = variational;
    draw.sweep = number_;
    draw.chain = setup_.chain;
    draw.applications = run.end.applications;
    sink.draw(draw);
  }
  // Between two steps.
  void end_step() {
    ++number_;
    workers_.collect_if_due();
    statistics_.peak_memory = workers_.heap().peak();
  }
  // After a step that gave draws.
  bool report(Sink& sink) {
    const LogMoments& values = evidence_.values();
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = values.log_mean();
    statistics_.evidence_parts = values;
    statistics_.log_evidence_se = values.log_mean_se();
    if (statistics_.simulations <= kFew)
      look_for_observes(statistics_.simulations, runs_.observed(), sink);
    if (statistics_.simulations >= kGiveUpExecutions.tries && !setup_.keep_impossible &&
        statistics_.zero_weight == statistics_.simulations)
      return fail_all_zero(kGiveUpExecutions.message, kGiveUpExecutions.remedy);
    return true;
  }

  WorkerPool workers_;
  GuidedRuns runs_;
  RunEvidence evidence_;
  std::uint64_t number_ = 0;

 private:
  static constexpr std::uint64_t kFew = 64;  // draws that show whether the program observes
};

}  // namespace chancel
