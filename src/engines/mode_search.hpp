// SPDX-License-Identifier: Apache-2.0
// What the engines that look for the most probable execution by trying share (siman, bamc): the best
// one so far, and what they give out. Their states are not draws from the posterior, which a
// warning (I010) states.
#pragma once
#include "infer/guarded_engine.hpp"
#include "infer/guided_run.hpp"

namespace chancel {

class ModeSearch : public GuardedEngine {
 protected:
  ModeSearch(const RunSetup& setup, bool candidates);
  bool advance(Sink& sink) final;
  // Tries one execution more. False: failed.
  virtual bool try_one(GuidedRun* run) = 0;
  // What became of it; kLogZero: it is impossible.
  virtual void learn(const GuidedRun&, double /*log_joint*/) {}
  // Names the machine's stream for the next execution.
  Stream& next_stream();
  static double log_joint(const GuidedRun& run);
  static void visit(GuidedRun& run, Evacuator& e);

  WorkerPool workers_;
  GuidedRuns runs_;
  std::uint64_t number_ = 0;  // executions tried

 private:
  void give(const GuidedRun& run, double log_joint, Sink& sink);
  bool candidates_;  // give each execution, not the best so far
  GuidedRun best_;
  double best_log_joint_;
  bool said_ = false;
};

OptionDef candidates_option();

}  // namespace chancel
