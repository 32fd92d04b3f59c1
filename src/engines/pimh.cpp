// SPDX-License-Identifier: Apache-2.0
// Engine pimh: particle independent Metropolis-Hastings (Andrieu, Doucet & Holenstein 2010, section
// 2.4.1). The proposal is a whole SMC sweep, accepted with probability min(1, Z'/Z) on the evidence
// estimates. Every iteration outputs all particles of the current sweep, with their weights: that
// averages over the particle that the algorithm would choose, and is never worse.
#include <cmath>

#include "base/planted.hpp"
#include "engines/give_up.hpp"
#include "infer/options.hpp"
#include "math/elementary.hpp"
#include "particles/sweep_engine.hpp"
#include "particles/sweep_feed.hpp"

namespace chancel {

namespace {

class Pimh final : public SweepEngine {
 public:
  Pimh(const RunSetup& setup, const SweepSettings& settings)
      : SweepEngine(setup), settings_(settings) {}

  bool advance(Sink& sink) override {
    make_feed();
    if (!iterate(sink)) return false;
    for (std::uint64_t more = 0; first_.wants_more() && !begun_ && more < kMostMore; ++more)
      if (!estimate(sink)) return false;
    return true;
  }

  bool can_help() const override { return true; }
  void help() override {
    make_feed();
    feed_->help();
  }

 protected:
  bool save_state(ByteWriter& to, const ByteNames&) const override {
    to.number(number_);
    to.byte(standing_ != nullptr);
    to.number(standing_number_);
    first_.save(to);
    to.byte(begun_);
    evidence_.save(to);
    return true;
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    number_ = from.number();
    const bool stands = from.byte() != 0;
    standing_number_ = from.number();
    first_.restore(from);
    begun_ = from.byte() != 0;
    evidence_.restore(from);
    if (!from.ok()) return false;
    make_feed();
    feed_->go_on_at(number_);
    if (!stands) return true;
    standing_ = feed_->again(standing_number_);
    if (!standing_ || !standing_->alive())
      return from.fail("the sweep that stands cannot be run again");
    return true;
  }

 private:
  static constexpr std::uint64_t kMostMore =
      1000;  // for the sake of the evidence (RunEvidence::wants_more)

  void make_feed() {
    const std::uint64_t particles = settings_.particles;
    if (!feed_)
      feed_.emplace(setup_, team(), settings_, (setup_.wanted_draws + particles - 1) / particles);
  }
  bool iterate(Sink& sink) {
    Population* proposed = feed_->next();
    if (!proposed) return fail_unchanged(*feed_->failure());
    report_sweep(*proposed, number_, sink);
    count_evidence(*proposed);
    bool accept = !standing_ && proposed->alive();
    if (standing_) {
      ++statistics_.proposals;
      const double log_ratio = proposed->log_evidence() - standing_->log_evidence();
      Stream stream = Stream(setup_.name.child(kSweepStream, number_), kSelectionSlot, 0);
      stream.set_source(setup_.source());
      accept =
          proposed->alive() && (log_ratio >= 0 || math::log(stream.uniform_open()) < log_ratio);
      if (planted(Mistake::AcceptAlways)) accept = proposed->alive();
      if (accept) ++statistics_.accepted;
    }
    if (!proposed->alive()) statistics_.zero_weight += proposed->size();
    if (accept) {
      if (standing_) feed_->release(standing_);
      standing_ = proposed;
      standing_number_ = number_;
    } else {
      feed_->release(proposed);
    }
    ++number_;
    statistics_.peak_memory = feed_->peak_memory();
    if (!standing_) {
      if (number_ < kGiveUpStarts.tries) return true;
      return fail_all_zero(kGiveUpStarts.message);
    }
    emit_particles(*standing_, number_ - 1, 0, sink);
    return true;
  }

  // A sweep for the sake of the evidence alone: the number of iterations must not depend on it.
  bool estimate(Sink& sink) {
    Population* sweep = feed_->next();
    if (!sweep) return fail(*feed_->failure());
    report_sweep(*sweep, number_, sink);
    count_evidence(*sweep);
    if (!sweep->alive()) statistics_.zero_weight += sweep->size();
    feed_->release(sweep);
    ++number_;
    return true;
  }

  // Draws come once a sweep has survived; from then on every iteration gives as many, so the number
  // of sweeps depends on chance only up to there. Those first ones count as one estimate.
  void count_evidence(const Population& sweep) {
    if (!begun_) {
      first_.add(sweep.log_evidence(), sweep.alive() ? 1 : 0, sweep.outcome().fragile);
      statistics_.evidence_parts = first_.values();
      statistics_.log_evidence_se = number_ == 0 && sweep.alive()
                                        ? sweep.outcome().evidence_error.log_evidence_se()
                                        : first_.values().log_mean_se();
      begun_ = (sweep.alive() && !first_.wants_more()) || (standing_ && number_ >= kMostMore);
      if (begun_) evidence_.add(first_.values().log_mean());
    } else {
      evidence_.add(sweep.log_evidence());
      statistics_.evidence_parts.add(sweep.log_evidence());
      statistics_.log_evidence_se = evidence_.log_mean_se();
    }
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = begun_ ? evidence_.log_mean() : first_.values().log_mean();
  }

  SweepSettings settings_;
  std::optional<SweepFeed> feed_;
  Population* standing_ = nullptr;
  std::uint64_t standing_number_ = 0;  // of its sweep
  std::uint64_t number_ = 0;
  RunEvidence first_{1};  // of the sweeps up to the first draws
  bool begun_ = false;    // there are draws
  LogMoments evidence_;
};

}  // namespace

EngineDef pimh_engine() {
  return {"pimh",
          "particle independent Metropolis-Hastings: whole SMC sweeps as proposals",
          {integer_option("number-of-particles", 100, 1, "particles in a sweep"), delayed_option(),
           hoist_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            SweepSettings settings;
            settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
            return std::make_unique<Pimh>(setup, settings);
          },
          EngineDef::Gives::Sweeps};
}

}  // namespace chancel
