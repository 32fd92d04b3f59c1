// SPDX-License-Identifier: Apache-2.0
// Engine pimh: particle independent Metropolis-Hastings (Andrieu, Doucet & Holenstein 2010, section
// 2.4.1). The proposal is a whole SMC sweep, accepted with probability min(1, Z'/Z) on the evidence
// estimates. Every iteration gives all particles of the sweep that stands, with their weights: that
// averages over the particle that the algorithm would pick, and is never worse.
#include <cmath>

#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"
#include "infer/sweep_feed.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kPatience = 100;  // first sweeps that may die out before the run gives up

class Pimh final : public GuardedEngine {
 public:
  Pimh(const RunSetup& setup, const SweepSettings& settings)
      : GuardedEngine(setup), settings_(settings) {}

  bool advance(Sink& sink) override {
    if (!feed_) feed_.emplace(setup_, team(), settings_);
    Population* proposed = feed_->next();
    if (!proposed) return fail(*feed_->failure());
    report_sweep(*proposed, number_, sink);
    evidence_.add(proposed->log_evidence());
    std::optional<double> first_variance;  // of one sweep its family tree tells
    if (number_ == 0 && proposed->alive()) first_variance = proposed->relative_variance();
    bool accept = !standing_ && proposed->alive();
    if (standing_) {
      ++figures_.proposals;
      const double log_ratio = proposed->log_evidence() - standing_->log_evidence();
      Stream stream = Stream(setup_.name.child(kSweepStream, number_), kSelectionSlot, 0);
      stream.set_source(setup_.source);
      accept = proposed->alive() && (log_ratio >= 0 || std::log(stream.uniform_open()) < log_ratio);
      if (planted(setup_.sabotage, Sabotage::AcceptAlways)) accept = proposed->alive();
      if (accept) ++figures_.accepted;
    }
    if (!proposed->alive()) figures_.zero_weight += proposed->size();
    if (accept) {
      if (standing_) feed_->release(standing_);
      standing_ = proposed;
    } else {
      feed_->release(proposed);
    }
    ++number_;
    figures_.has_log_evidence = true;
    figures_.log_evidence = evidence_.log_mean();
    figures_.log_evidence_se =
        first_variance ? std::sqrt(*first_variance) : evidence_.log_mean_se();
    figures_.peak_memory = feed_->peak_memory();
    if (!standing_) {
      if (number_ < kPatience) return true;
      return fail_all_zero("every execution contradicts the observations, in every sweep");
    }
    emit_particles(*standing_, number_ - 1, 0, sink);
    return true;
  }

 private:
  SweepSettings settings_;
  std::optional<SweepFeed> feed_;
  Population* standing_ = nullptr;
  std::uint64_t number_ = 0;
  LogMoments evidence_;
};

}  // namespace

EngineDef pimh_engine() {
  return {"pimh",
          "particle independent Metropolis-Hastings: whole SMC sweeps as proposals",
          {{"number-of-particles", "integer >= 1 (100)", "particles in a sweep"}},
          [](const RunSetup& setup, const std::vector<OptionValue>& options,
             DiagnosticSink& sink) -> std::unique_ptr<Engine> {
            OptionReader read("pimh", options, sink);
            SweepSettings settings;
            settings.particles =
                static_cast<std::uint32_t>(read.integer("number-of-particles", 100, 1));
            if (!read.ok()) return nullptr;
            return std::make_unique<Pimh>(setup, settings);
          },
          EngineDef::Gives::Sweeps};
}

}  // namespace chancel
