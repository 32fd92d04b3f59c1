// SPDX-License-Identifier: Apache-2.0
// Engine smc: the bootstrap particle filter in program order (Gordon, Salmond & Smith 1993; for
// programs: Wood, van de Meent & Mansinghka 2014, section 3). Each step is an independent sweep;
// its draws carry the sweep's evidence estimate, so that averages over sweeps are right.
#include <cmath>

#include "engines/give_up.hpp"
#include "infer/options.hpp"
#include "math/elementary.hpp"
#include "particles/sweep_engine.hpp"
#include "particles/sweep_feed.hpp"

namespace chancel {

namespace {

class Smc final : public SweepEngine {
 public:
  Smc(const RunSetup& setup, const SweepSettings& settings)
      : SweepEngine(setup), settings_(settings), evidence_(setup.wanted_draws) {}

  bool advance(Sink& sink) override {
    if (settings_.moves > 0 && setup_.delayed)
      return fail({Code::I002,
                   Severity::Error,
                   {},
                   "smc: :move cannot be used with :delayed, whose draws have no values yet",
                   "leave out one of them",
                   {}});
    make_feed();
    if (!run_sweep(sink, true)) return false;
    for (std::uint64_t more = 0; evidence_.wants_more() && more < kMostMore; ++more)
      if (!run_sweep(sink, false)) return false;
    if (!found_ && dead_ >= kGiveUpSweeps.tries && !setup_.keep_impossible)
      return fail_all_zero(kGiveUpSweeps.message);
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
    to.number(dead_);
    to.byte(found_);
    evidence_.save(to);
    variance_.save(to);
    to.real(freedom_);
    to.byte(genealogy_tells_);
    return true;
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    number_ = from.number();
    dead_ = from.number();
    found_ = from.byte() != 0;
    evidence_.restore(from);
    variance_.restore(from);
    freedom_ = from.real();
    genealogy_tells_ = from.byte() != 0;
    make_feed();
    feed_->go_on_at(number_);
    return from.ok();
  }

 private:
  // Sweeps for the sake of the evidence alone (RunEvidence::wants_more).
  static constexpr std::uint64_t kMostMore = 1000;

  void make_feed() {
    if (!feed_) feed_.emplace(setup_, team(), settings_, sweeps_for(setup_.wanted_draws));
  }
  std::uint64_t sweeps_for(std::uint64_t draws) const {
    return (draws + settings_.particles - 1) / settings_.particles;
  }
  bool run_sweep(Sink& sink, bool give) {
    Population* sweep = feed_->next();
    if (!sweep) return give ? fail_unchanged(*feed_->failure()) : fail(*feed_->failure());
    report_sweep(*sweep, number_, sink);
    std::uint64_t given = 0;
    if (sweep->alive()) {
      found_ = true;
      tell_by_genealogy(*sweep);
      // Weighted by evidence: a sweep that found little counts little.
      if (give) given = emit_particles(*sweep, number_, sweep->log_evidence(), sink);
    } else {
      ++dead_;
      statistics_.zero_weight += sweep->size();
      if (give && setup_.keep_impossible) given = emit_dead(*sweep, sink);
    }
    evidence_.add(sweep->log_evidence(), given, sweep->outcome().fragile);
    statistics_.proposals += sweep->outcome().proposals;
    statistics_.accepted += sweep->outcome().accepted;
    feed_->release(sweep);
    ++number_;
    set_evidence();
    statistics_.peak_memory = feed_->peak_memory();
    return true;
  }

  std::uint64_t emit_dead(const Population& sweep, Sink& sink) {
    EngineDraw draw;
    draw.log_weight = kLogZero;
    draw.sweep = number_;
    draw.chain = setup_.chain;
    for (std::size_t i = 0; i < sweep.size(); ++i) sink.draw(draw);
    return sweep.size();
  }

  void tell_by_genealogy(const Population& sweep) {
    const SweepError& tree = sweep.outcome().evidence_error;
    genealogy_tells_ = genealogy_tells_ && !std::isnan(tree.variance);
    if (!genealogy_tells_) return;
    variance_.add(2 * sweep.log_evidence() + math::log(tree.variance));
    freedom_ += tree.families - 1;
  }

  void set_evidence() {
    const LogMoments& values = evidence_.values();
    statistics_.independent = true;
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = values.log_mean();
    statistics_.evidence_parts = values;
    // A few sweeps do not give a reliable spread: each sweep's genealogy is used if it gives an
    // estimate. With more sweeps, their spread.
    const auto n = static_cast<double>(number_);
    statistics_.log_evidence_se =
        number_ >= kFew || dead_ > 0 || !genealogy_tells_
            ? values.log_mean_se()
            : widening(freedom_) *
                  std::sqrt(math::exp(variance_.log_mean() - 2 * values.log_mean()) / n);
  }

  static constexpr std::uint64_t kFew = 10;
  SweepSettings settings_;
  std::optional<SweepFeed> feed_;
  std::uint64_t number_ = 0;
  std::uint64_t dead_ = 0;  // sweeps without a survivor
  bool found_ = false;      // one had
  RunEvidence evidence_;
  LogMoments variance_;  // of the sweeps' evidence, by their genealogies
  double freedom_ = 0;   // of that
  bool genealogy_tells_ = true;
};

}  // namespace

EngineDef smc_engine() {
  EngineDef def = {
      "smc",
      "bootstrap particle filter in program order",
      {integer_option("number-of-particles", 100, 1, "particles in a sweep"),
       word_option("resampling", {"systematic", "multinomial", "stratified", "residual"},
                   "how ancestors are drawn"),
       real_option("ess-threshold", 1, 0, 1,
                   "resample when the effective sample size is below this share of the "
                   "particles; 1 = at every observe"),
       integer_option("move", 0, 0,
                      "single-site moves of each particle's draws at each observe, which leave the "
                      "posterior of the observes so far invariant"),
       delayed_option(), hoist_option()},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        SweepSettings settings;
        settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
        find_resampling(read.word("resampling"), &settings.resampling);
        settings.ess_threshold = read.real("ess-threshold");
        settings.moves = read.integer("move");
        settings.keep_history = settings.record_draws = settings.moves > 0;
        return std::make_unique<Smc>(setup, settings);
      },
      EngineDef::Gives::Sweeps};
  def.independent_sweeps = true;
  return def;
}

}  // namespace chancel
