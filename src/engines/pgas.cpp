// SPDX-License-Identifier: Apache-2.0
// Engine pgas: particle Gibbs with ancestor sampling (Lindsten, Jordan & Schoen 2014). As pgibbs,
// but at every observe the retained execution's future gets a new past among the particles
// (ancestor_sampling.hpp). O(N T^2) in all, since the whole future is replayed after each particle.
// A past that makes other draws, or observes elsewhere, has density zero. It mixes where pgibbs
// keeps one early path. :parameters as for pgibbs.
#include "infer/options.hpp"
#include "particles/ancestor_sampling.hpp"
#include "particles/parameter_moves.hpp"
#include "particles/sweep_engine.hpp"

namespace chancel {

namespace {

class Pgas final : public SweepEngine {
 public:
  Pgas(const RunSetup& setup, const SweepSettings& settings,
       const ParameterMoveSettings& parameters)
      : SweepEngine(setup),
        settings_(settings),
        parameters_(parameters),
        warmup_((setup.warmup + settings.particles - 1) / settings.particles) {
    settings_.resampling = Resampling::Multinomial;
    settings_.futures = true;
    // Where native code may come it runs particles too, and only the retained path is recorded, afterwards. Tests that
    // say where random numbers come from get them in the order of the algorithm.
    settings_.record_draws = parameters.parameters != "none" || setup.delayed || setup.source() ||
                             setup.native == NativeUse::Never;
  }

  bool advance(Sink& sink) override {
    if (!workers_) begin();
    if (parameter_moves_) parameter_moves_->give_to(chain_->sweep());
    const StreamName name = setup_.name.child(kSweepStream, number_);
    ancestors_->set_streams(name);
    const bool ok = chain_->step(name);
    if (ancestors_->failure()) return fail(*ancestors_->failure());
    if (!ok) {
      if (chain_->failure()) return fail(*chain_->failure());
      return fail_all_zero("every execution contradicts the observations, in every sweep");
    }
    report_sweep(chain_->sweep(), number_, sink);
    if (number_ >= warmup_) emit_particles(chain_->sweep(), number_ - warmup_, 0, sink);
    if (!chain_->choose_retained(name)) return fail(*chain_->failure());
    if (parameter_moves_) {
      if (!parameter_moves_->run(chain_->retained(), chain_->sweep(), name))
        return fail(*parameter_moves_->failure());
      parameter_moves_->tell(number_, warmup_, statistics_, settings_.particles);
    }
    if (!chain_->estimate_evidence(name, statistics_)) return fail(*chain_->failure());
    workers_->collect_if_due();
    statistics_.peak_memory = workers_->heap().peak();
    ++number_;
    return true;
  }

 protected:
  bool save_state(ByteWriter& to, const ByteNames& names) const override {
    if (parameters_.parameters != "none") return false;
    to.number(number_);
    to.byte(chain_.has_value());
    return !chain_ || chain_->save_draws(to, names);
  }
  bool restore_state(ByteReader& from, const ByteNames& names) override {
    number_ = from.number();
    if (from.byte() == 0) return from.ok();
    begin();
    return chain_->restore_draws(from, names);
  }

 private:
  void begin() {
    workers_.emplace(setup_, team(), setup_.max_memory);
    chain_.emplace(*workers_, settings_);
    ancestors_.emplace(*workers_, *chain_);
    if (parameters_.parameters != "none")
      parameter_moves_.emplace(*workers_, parameters_, "pgas", warmup_);
  }

  SweepSettings settings_;
  ParameterMoveSettings parameters_;
  std::uint64_t warmup_;  // sweeps; given as draws
  std::optional<WorkerPool> workers_;
  std::optional<ConditionalSweeps> chain_;
  std::optional<AncestorSampling> ancestors_;
  std::optional<ParameterMoves> parameter_moves_;
  std::uint64_t number_ = 0;
};

}  // namespace

EngineDef pgas_engine() {
  return {"pgas",
          "particle Gibbs with ancestor sampling",
          {integer_option("number-of-particles", 20, 2,
                          "particles in a sweep, the retained one included"),
           parameters_option(false), parameter_moves_option(), path_option(), delayed_option(),
           hoist_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            SweepSettings settings;
            settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
            return std::make_unique<Pgas>(setup, settings, read_parameter_moves(read));
          },
          EngineDef::Gives::Sweeps,
          true,
          "parameters"};
}

}  // namespace chancel
