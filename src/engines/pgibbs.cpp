// SPDX-License-Identifier: Apache-2.0
// Engine pgibbs: the paper's PMCMC (Wood, van de Meent & Mansinghka 2014, Algorithm 1), that is
// particle Gibbs over executions. Each step is a conditional SMC sweep; all its particles are given
// out with their final weights.
//
// :rejuvenate N makes N single-site moves (lmh) on the retained execution between two sweeps: the
// combination that closes the paper. Both leave the posterior of an execution invariant, so their
// composition does. The retained draws are recorded, replayed into a trace, moved, and replayed
// into a path of states; that is three runs of one execution more for each sweep.
//
// :parameters makes it particle Gibbs proper: all particles of a sweep have the parameters of the
// retained execution, and the parameters move given the path (parameter_moves.hpp).
//
// Evidence: the mean over plain sweeps, one of which is run after every twenty conditional ones
// (conditional_sweeps.hpp). The mean of 1/Z over the conditional sweeps cannot replace it: it
// misses the sweeps that would have died out, and has heavy tails.

#include "infer/options.hpp"
#include "particles/conditional_sweeps.hpp"
#include "particles/parameter_moves.hpp"
#include "particles/rejuvenate.hpp"
#include "particles/sweep_engine.hpp"

namespace chancel {

namespace {

class Pgibbs final : public SweepEngine {
 public:
  Pgibbs(const RunSetup& setup, const SweepSettings& settings, std::uint64_t moves,
         const ParameterMoveSettings& parameters)
      : SweepEngine(setup),
        settings_(settings),
        moves_(moves),
        parameters_(parameters),
        warmup_((setup.warmup + settings.particles - 1) / settings.particles) {
    settings_.record_draws = moves > 0 || parameters.parameters != "none";
  }

  bool advance(Sink& sink) override {
    if (moves_ > 0 && setup_.delayed)
      return fail(
          {Code::I002,
           Severity::Error,
           {},
           "pgibbs: :rejuvenate cannot be used with :delayed, whose draws have no values yet",
           "leave out one of them",
           {}});
    if (!workers_) begin();
    if (parameter_moves_) parameter_moves_->give_to(chain_->sweep());
    const StreamName name = setup_.name.child(kSweepStream, number_);
    if (!chain_->step(name)) {
      if (chain_->failure()) return fail_unchanged(*chain_->failure());
      return fail_all_zero("every execution contradicts the observations, in every sweep");
    }
    const Population& sweep = chain_->sweep();
    report_sweep(sweep, number_, sink);
    if (moves_ > 0 && sweep.outcome().estimated)
      return fail({Code::I002,
                   Severity::Error,
                   {},
                   "pgibbs: :rejuvenate cannot be used where an observed conditional is estimated",
                   "leave out :rejuvenate, or give the conditional to :enumerate",
                   {}});
    if (number_ >= warmup_) emit_particles(sweep, number_ - warmup_, 0, sink);
    chain_->choose_retained(name);
    if (moves_ > 0) {
      if (!rejuvenation_->run(chain_->retained(), sweep.prefix(), name, moves_))
        return fail(*rejuvenation_->failure());
      statistics_.proposals = rejuvenation_->proposals();
      statistics_.accepted = rejuvenation_->accepted();
      statistics_.moves = rejuvenation_->moves();
    }
    if (parameter_moves_) {
      if (!parameter_moves_->run(chain_->retained(), sweep, name))
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
  bool save_state(ByteWriter& to, const ByteNames&) const override {
    if (settings_.record_draws) return false;
    to.number(number_);
    to.byte(chain_.has_value());
    if (chain_) chain_->save(to);
    return true;
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    number_ = from.number();
    if (from.byte() == 0) return from.ok();
    begin();
    return chain_->restore(from);
  }

 private:
  void begin() {
    workers_.emplace(setup_, team(), setup_.max_memory);
    chain_.emplace(*workers_, settings_);
    if (moves_ > 0) rejuvenation_.emplace(*workers_);
    if (parameters_.parameters != "none")
      parameter_moves_.emplace(*workers_, parameters_, "pgibbs", warmup_);
  }

  SweepSettings settings_;
  std::uint64_t moves_;
  ParameterMoveSettings parameters_;
  std::uint64_t warmup_;  // sweeps; given as draws
  std::optional<WorkerPool> workers_;
  std::optional<ConditionalSweeps> chain_;
  std::optional<Rejuvenation> rejuvenation_;
  std::optional<ParameterMoves> parameter_moves_;
  std::uint64_t number_ = 0;
};

}  // namespace

EngineDef pgibbs_engine() {
  return {"pgibbs",
          "particle Gibbs: the paper's PMCMC",
          {integer_option("number-of-particles", 100, 2,
                          "particles in a sweep, the retained one included"),
           word_option("resampling", {"multinomial", "systematic"},
                       "how ancestors are drawn beside the retained execution"),
           integer_option("rejuvenate", 0, 0,
                          "single-site moves of the retained execution after each sweep"),
           parameters_option(false), parameter_moves_option(), path_option(), delayed_option(),
           hoist_option()},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            SweepSettings settings;
            settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
            find_resampling(read.word("resampling"), &settings.resampling);
            const std::uint64_t moves = read.integer("rejuvenate");
            return std::make_unique<Pgibbs>(setup, settings, moves, read_parameter_moves(read));
          },
          EngineDef::Gives::Sweeps,
          true,
          "parameters"};
}

}  // namespace chancel
