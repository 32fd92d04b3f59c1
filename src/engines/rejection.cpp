// SPDX-License-Identifier: Apache-2.0
// Engine rejection: exact, independent draws. Executions from the prior are kept with probability
// likelihood / bound, so hard constraints (likelihood 0 or 1) simply keep what satisfies them. The
// bound is 1 unless :log-bound says otherwise; an execution whose likelihood is above it makes the
// run fail, since the draws so far would be wrong.
#include <cmath>
#include <limits>

#include "engines/forward_engine.hpp"
#include "fmt/format.h"
#include "infer/options.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

class Rejection final : public ForwardEngine {
 public:
  Rejection(const RunSetup& setup, double log_bound)
      : ForwardEngine(setup, kGiveUpRejections), log_bound_(log_bound) {}

 private:
  std::uint64_t tries() const override { return statistics_.proposals; }
  bool run_batch(Sink& sink) override {
    if (!runs_->next()) return fail(*runs_->failure());
    for (std::size_t i = 0; i < runs_->size(); ++i) {
      const double w = runs_->log_weight(i) - log_bound_;
      if (w > 1e-9)
        return fail(
            {Code::I006,
             Severity::Error,
             {},
             fmt::format(
                 "rejection: an execution has log-likelihood {:.6g}, above the bound {:.6g}",
                 runs_->log_weight(i), log_bound_),
             "give a bound with :log-bound, or use :importance or :smc",
             {}});
      ++statistics_.proposals;
      if (w == kLogZero) {
        ++statistics_.zero_weight;
        evidence_.add(kLogZero, 0);
        continue;
      }
      Stream stream = runs_->decision_stream(runs_->first() + i);
      if (w < 0 && math::log(stream.uniform_open()) >= w) {
        evidence_.add(kLogZero, 0);
        continue;
      }
      // A run for one draw ends with the first execution that is kept: it alone does not give an
      // unbiased estimate of the evidence.
      evidence_.add(log_bound_, 1, setup_.wanted_draws == 1);
      EngineDraw draw = runs_->draw(i);
      draw.sweep = statistics_.accepted++;
      sink.draw(draw);
    }
    runs_->count_in(statistics_, evidence_);
    return judged(statistics_.accepted == 0 && statistics_.proposals >= kGiveUpRejections.tries,
                  sink);
  }

  double log_bound_;
};

}  // namespace

EngineDef rejection_engine() {
  EngineDef def = {"rejection",
                   "exact draws by rejection, for hard constraints and bounded likelihoods",
                   {real_option("log-bound", 0, -kMostReal, kMostReal,
                                "log of the largest likelihood that an execution can have")},
                   [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
                     const double bound = read.real("log-bound");
                     return std::make_unique<Rejection>(setup, bound);
                   }};
  def.exact_draws = true;
  return def;
}

}  // namespace chancel
