// SPDX-License-Identifier: Apache-2.0
// Engine pgas: particle Gibbs with ancestor sampling (Lindsten, Jordan & Schoen 2014). As pgibbs,
// but at every observe the retained execution's future gets a new past among the particles
// (ancestor_sampling.hpp). O(N T^2) in all, since the whole future is replayed after each particle.
// A past that makes other draws, or observes elsewhere, has density zero. It mixes where pgibbs
// keeps one early path. :parameters as for pgibbs.
#include "engines/particle_gibbs.hpp"
#include "infer/options.hpp"
#include "particles/ancestor_sampling.hpp"

namespace chancel {

namespace {

class Pgas final : public ParticleGibbs {
 public:
  Pgas(const RunSetup& setup, const SweepSettings& settings,
       const ParameterMoveSettings& parameters)
      : ParticleGibbs("pgas", setup, settings, parameters) {
    settings_.resampling = Resampling::Multinomial;
    settings_.futures = true;
    // Where native code may come it runs particles too, and only the retained path is recorded, afterwards. Tests that
    // say where random numbers come from get them in the order of the algorithm.
    settings_.record_draws =
        has_parameters() || setup.delayed || setup.source() || setup.native == NativeUse::Never;
  }

 protected:
  bool sweep(StreamName name) override {
    ancestors_->set_streams(name);
    const bool ok = chain_->step(name);
    if (ancestors_->failure()) return fail(*ancestors_->failure());
    if (ok) return true;
    return chain_->failure() ? fail(*chain_->failure()) : no_start();
  }
  void begin() override {
    ParticleGibbs::begin();
    ancestors_.emplace(*workers_, *chain_);
  }
  bool save_state(ByteWriter& to, const ByteNames& names) const override {
    if (has_parameters()) return false;
    return save_chain(to,
                      [&](const ConditionalSweeps& chain) { return chain.save_draws(to, names); });
  }
  bool restore_state(ByteReader& from, const ByteNames& names) override {
    return restore_chain(
        from, [&](ConditionalSweeps& chain) { return chain.restore_draws(from, names); });
  }

 private:
  std::optional<AncestorSampling> ancestors_;
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
