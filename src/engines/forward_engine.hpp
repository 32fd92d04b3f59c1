// SPDX-License-Identifier: Apache-2.0
// The base of engines that judge whole executions from the prior (importance, rejection): it runs
// batches of them until there are draws enough, or too many tries without one.
#pragma once
#include <optional>

#include "engines/give_up.hpp"
#include "infer/guarded_engine.hpp"
#include "particles/forward.hpp"

namespace chancel {

class ForwardEngine : public GuardedEngine {
 public:
  ForwardEngine(const RunSetup& setup, const GiveUp& give_up)
      : GuardedEngine(setup), give_up_(give_up), evidence_(setup.wanted_draws) {}

  bool advance(Sink& sink) final {
    begin();
    do {
      if (!run_batch(sink)) return false;
    } while (evidence_.wants_more() && tries() < give_up_.tries);
    return true;
  }
  bool can_help() const final { return true; }
  void help() final {
    begin();
    runs_->help();
  }

 protected:
  virtual bool run_batch(Sink& sink) = 0;
  virtual std::uint64_t tries() const = 0;
  void begin() {
    if (!runs_) runs_.emplace(setup_, team());
  }
  // After a batch: reports when no execution observes, or when `none` was of use.
  bool judged(bool none, Sink& sink) {
    look_for_observes(statistics_.simulations, runs_->observed() || statistics_.zero_weight > 0,
                      sink);
    return none ? fail_all_zero(give_up_.message, give_up_.remedy) : true;
  }

  const GiveUp& give_up_;
  std::optional<ForwardRuns> runs_;
  RunEvidence evidence_;
};

}  // namespace chancel
