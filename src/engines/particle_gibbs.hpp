// SPDX-License-Identifier: Apache-2.0
// The base of engines whose steps are conditional sweeps (pgibbs, pgas): a sweep given the retained
// execution, its particles as draws, the choice of the next one, and moves of parameters given it.
#pragma once
#include <optional>

#include "engines/give_up.hpp"
#include "particles/conditional_sweeps.hpp"
#include "particles/parameter_moves.hpp"
#include "particles/path_structure.hpp"
#include "particles/sweep_engine.hpp"

namespace chancel {

class ParticleGibbs : public SweepEngine {
 public:
  ParticleGibbs(const char* engine, const RunSetup& setup, const SweepSettings& settings,
                const ParameterMoveSettings& parameters)
      : SweepEngine(setup),
        settings_(settings),
        parameters_(parameters),
        engine_(engine),
        warmup_((setup.warmup + settings.particles - 1) / settings.particles) {}

  bool advance(Sink& sink) final {
    if (!allowed()) return false;
    if (!workers_) begin();
    if (parameter_moves_) parameter_moves_->give_to(chain_->sweep());
    const StreamName name = setup_.name.child(kSweepStream, number_);
    if (!sweep(name)) return false;
    const Population& done = chain_->sweep();
    report_sweep(done, number_, sink);
    if (!usable(done)) return false;
    if (number_ >= warmup_) emit_particles(done, number_ - warmup_, 0, sink);
    if (!chain_->choose_retained(name)) return fail(*chain_->failure());
    if (!move_retained(name)) return false;
    if (parameter_moves_) {
      if (!parameter_moves_->run(chain_->retained(), done, name))
        return fail(*parameter_moves_->failure());
      parameter_moves_->tell(number_, warmup_, statistics_, settings_.particles);
    }
    note_structure();
    if (!chain_->estimate_evidence(name, statistics_)) return fail(*chain_->failure());
    workers_->collect_if_due();
    statistics_.peak_memory = workers_->heap().peak();
    ++number_;
    return true;
  }

 protected:
  // What follows says false when failure_ is set.
  virtual bool allowed() { return true; }  // with these options
  virtual bool sweep(StreamName name) = 0;
  virtual bool usable(const Population&) { return true; }
  virtual bool move_retained(StreamName) { return true; }
  virtual void begin() {
    workers_.emplace(setup_, team(), setup_.max_memory);
    chain_.emplace(*workers_, settings_);
    if (has_parameters()) parameter_moves_.emplace(*workers_, parameters_, engine_, warmup_);
  }
  // Number and chain; `save` writes the chain.
  template <class Save>
  bool save_chain(ByteWriter& to, Save&& save) const {
    to.number(number_);
    to.byte(chain_.has_value());
    return !chain_ || save(*chain_);
  }
  template <class Restore>
  bool restore_chain(ByteReader& from, Restore&& restore) {
    number_ = from.number();
    if (from.byte() == 0) return from.ok();
    begin();
    return restore(*chain_);
  }
  bool has_parameters() const { return parameters_.parameters != "none"; }
  bool no_start() { return fail_all_zero(kGiveUpStarts.message); }

  // Paths that moves have changed have no names, and draws that are put off no values.
  void note_structure() {
    const bool recorded = settings_.record_draws || settings_.futures;
    if (setup_.delayed || setup_.source()) return;
    if (const auto keys = structure_.read(chain_->sweep(), chain_->retained(), recorded))
      statistics_.structures.step(*keys, structure_.log_density());
  }

  SweepSettings settings_;
  std::optional<WorkerPool> workers_;
  std::optional<ConditionalSweeps> chain_;

 private:
  ParameterMoveSettings parameters_;
  const char* engine_;
  std::uint64_t warmup_;  // sweeps; given as draws
  std::optional<ParameterMoves> parameter_moves_;
  PathStructure structure_;
  std::uint64_t number_ = 0;
};

}  // namespace chancel
