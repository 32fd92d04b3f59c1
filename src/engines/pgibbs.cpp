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

#include "engines/particle_gibbs.hpp"
#include "infer/options.hpp"
#include "particles/rejuvenate.hpp"

namespace chancel {

namespace {

class Pgibbs final : public ParticleGibbs {
 public:
  Pgibbs(const RunSetup& setup, const SweepSettings& settings, std::uint64_t moves,
         const ParameterMoveSettings& parameters)
      : ParticleGibbs("pgibbs", setup, settings, parameters), moves_(moves) {
    settings_.record_draws = moves > 0 || has_parameters();
  }

 protected:
  bool allowed() override {
    if (moves_ == 0 || !setup_.delayed) return true;
    return fail({Code::I002,
                 Severity::Error,
                 {},
                 "pgibbs: :rejuvenate cannot be used with :delayed, whose draws have no values yet",
                 "leave out one of them",
                 {}});
  }
  bool sweep(StreamName name) override {
    if (chain_->step(name)) return true;
    return chain_->failure() ? fail_unchanged(*chain_->failure()) : no_start();
  }
  bool usable(const Population& sweep) override {
    if (moves_ == 0 || !sweep.outcome().estimated) return true;
    return fail({Code::I002,
                 Severity::Error,
                 {},
                 "pgibbs: :rejuvenate cannot be used where an observed conditional is estimated",
                 "leave out :rejuvenate, or give the conditional to :enumerate",
                 {}});
  }
  bool move_retained(StreamName name) override {
    if (moves_ == 0) return true;
    if (!rejuvenation_->run(chain_->retained(), chain_->sweep().prefix(), name, moves_))
      return fail(*rejuvenation_->failure());
    statistics_.proposals = rejuvenation_->proposals();
    statistics_.accepted = rejuvenation_->accepted();
    statistics_.moves = rejuvenation_->moves();
    return true;
  }
  void begin() override {
    ParticleGibbs::begin();
    if (moves_ > 0) rejuvenation_.emplace(*workers_);
  }
  bool save_state(ByteWriter& to, const ByteNames&) const override {
    if (settings_.record_draws) return false;
    return save_chain(to, [&](const ConditionalSweeps& chain) {
      chain.save(to);
      return true;
    });
  }
  bool restore_state(ByteReader& from, const ByteNames&) override {
    return restore_chain(from, [&](ConditionalSweeps& chain) { return chain.restore(from); });
  }

 private:
  std::uint64_t moves_;
  std::optional<Rejuvenation> rejuvenation_;
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
