// SPDX-License-Identifier: Apache-2.0
// Engine importance: likelihood weighting. Executions from the prior, each with the product of its
// likelihoods as weight; the mean weight estimates the evidence without bias.
#include <limits>

#include "engines/forward_engine.hpp"

namespace chancel {

namespace {

constexpr GiveUp kGiveUp = {kGiveUpExecutions.tries, kGiveUpExecutions.message,
                            "smc finds what is merely rare sooner"};

class Importance final : public ForwardEngine {
 public:
  explicit Importance(const RunSetup& setup) : ForwardEngine(setup, kGiveUp) {}

 protected:
  bool save_state(ByteWriter& to, const ByteNames&) const override {
    evidence_.save(to);
    to.byte(runs_.has_value());
    if (runs_) runs_->save(to);
    return true;
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    evidence_.restore(from);
    if (from.byte() == 0) return from.ok();
    begin();
    return runs_->restore(from) && from.ok();
  }

 private:
  // No other engine draws from a prior that cannot be drawn from.
  Diagnostic explained(Diagnostic d) const {
    if (setup_.prior && d.code == Code::D003) d.hint = "--prior needs a proper prior";
    return d;
  }
  std::uint64_t tries() const override { return evidence_.values().count(); }
  bool run_batch(Sink& sink) override {
    if (!runs_->next()) return fail(explained(*runs_->failure()));
    for (std::size_t i = 0; i < runs_->size(); ++i) {
      const double w = runs_->log_weight(i);
      if (w == std::numeric_limits<double>::infinity())
        return fail({Code::R012,
                     Severity::Error,
                     {},
                     "observe: the density is infinite, so the weights cannot be compared",
                     "",
                     {}});
      // A run for one draw ends with the first possible execution: its weight alone is not an
      // unbiased estimate of the evidence.
      evidence_.add(w, w != kLogZero || setup_.keep_impossible ? 1 : 0, setup_.wanted_draws == 1);
      if (w == kLogZero) {
        ++statistics_.zero_weight;
        if (!setup_.keep_impossible) continue;
      }
      EngineDraw draw = runs_->draw(i);
      draw.log_weight = w;
      draw.sweep = runs_->first() + i;
      sink.draw(draw);
    }
    runs_->count_in(statistics_, evidence_);
    if (setup_.prior) {
      statistics_.has_log_evidence = false;
      return true;
    }
    return judged(!setup_.keep_impossible && statistics_.simulations >= kGiveUp.tries &&
                      statistics_.zero_weight == statistics_.simulations,
                  sink);
  }
};

}  // namespace

EngineDef importance_engine() {
  return {"importance",
          "likelihood weighting: executions from the prior, weighted",
          {delayed_option()},
          [](const RunSetup& setup, const EngineOptions&) -> std::unique_ptr<Engine> {
            return std::make_unique<Importance>(setup);
          }};
}

}  // namespace chancel
