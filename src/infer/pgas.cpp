// SPDX-License-Identifier: Apache-2.0
// Engine pgas: particle Gibbs with ancestor sampling (Lindsten, Jordan & Schoen 2014). As pgibbs, but at every observe the retained
// execution's future gets a new past: particle i with probability proportional to its weight times the density of that future after
// i. Programs are not Markov, so the density is that of the whole future: draws are recorded and replayed after each particle, O(N
// T^2) in all. A past that makes other draws, or observes elsewhere, has density zero. Mixes where pgibbs sticks to one early path.
#include <cmath>

#include "infer/conditional_sweeps.hpp"
#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"
#include "infer/replay.hpp"

namespace chancel {

namespace {

constexpr std::uint32_t kAncestorSlot = 0xfffffffdu;
constexpr std::uint32_t kReplaySlot = 0xfffffffcu;
constexpr std::size_t kLeastSlice = 4;  // futures for a thread

class Pgas final : public GuardedEngine {
 public:
  Pgas(const RunSetup& setup, const SweepSettings& settings) : GuardedEngine(setup), settings_(settings) {
    settings_.resampling = Resampling::Multinomial;
    settings_.record_draws = true;
    figures_.note = "particle Gibbs with ancestor sampling";
  }

  bool advance(Sink& sink) override {
    if (!crew_) {
      crew_.emplace(setup_, team(), setup_.max_memory);
      chain_.emplace(*crew_, settings_);
      chain_->sweep().choose_ancestor = [this](std::uint32_t barrier, RetainedPath& path) {
        return choose_ancestor(barrier, path);
      };
    }
    name_ = setup_.name.child(kSweepStream, number_);
    const bool ok = chain_->step(name_);
    if (trouble_) return fail(*trouble_);
    if (!ok) {
      if (chain_->failure()) return fail(*chain_->failure());
      return fail_all_zero("every execution contradicts the observations, in every sweep");
    }
    report_sweep(chain_->sweep(), number_, sink);
    emit_particles(chain_->sweep(), number_, 0, sink);
    chain_->choose_retained(name_);
    crew_->collect_if_due();
    figures_.peak_memory = crew_->heap().peak();
    ++number_;
    return true;
  }

 private:
  std::uint32_t choose_ancestor(std::uint32_t barrier, RetainedPath& path) {
    if (trouble_) return 0;
    const Population& sweep = chain_->sweep();
    const std::size_t n = sweep.size();
    futures_.resize(n);
    crew_->for_slices(n, kLeastSlice, [&](CrewMember& member, std::size_t from, std::size_t to) {
      try {
        for (std::size_t i = from; i < to && !member.failure; ++i) {
          if (sweep.weights().relative()[i] == 0) {
            futures_[i] = {kLogZero, false};
            continue;
          }
          member.machine->stream.reset(name_.child(kNodeStream, i), kReplaySlot, barrier);
          const Arena::Mark mark = member.machine->arena().mark();
          if (!future_density(*member.machine, sweep.execution(i), path, barrier, &futures_[i])) {
            member.failure = member.machine->failure();
            member.failed_at = i;
          }
          if (member.machine->arena().mark().blocks > mark.blocks + 2)  // nothing of the replay is kept
            member.machine->arena().collect_since(mark, [](Evacuator&) {});
        }
      } catch (const MemoryLimit& e) {
        member.failure = memory_failure(e);
        member.failed_at = n;
      }
    });
    if ((trouble_ = crew_->take_failure())) return 0;
    if (futures_[0].unknown) return 0;  // the future cannot be scored: it keeps its past
    double largest = kLogZero;
    for (const FutureDensity& f : futures_) largest = std::max(largest, f.unknown ? kLogZero : f.log_density);
    chances_.resize(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double f = futures_[i].unknown ? 0 : std::exp(futures_[i].log_density - largest);
      sum += chances_[i] = sweep.weights().relative()[i] * f;
    }
    Stream stream = crew_->stream(name_, kAncestorSlot, barrier);
    const std::uint32_t chosen = sum > 0 ? draw_index(chances_, sum, stream) : 0;
    if (chosen != 0 && barrier < path.steps.size()) re_root(chosen, barrier, path);
    return chosen;
  }

  // The retained future after its new past.
  void re_root(std::uint32_t chosen, std::uint32_t barrier, RetainedPath& path) {
    const Population& sweep = chain_->sweep();
    std::vector<Value> values;
    const auto add = [&](const ValueArray* draws) {
      for (std::size_t k = 0; k < draw_count(draws); ++k) values.push_back(drawn_value(draws, k));
    };
    for (std::size_t s = barrier + 1; s < path.steps.size(); ++s) add(path.steps[s]->draws);
    add(path.last_draws);
    path.steps.resize(barrier + 1);
    path.steps[barrier] = sweep.history(chosen);
    Machine& machine = crew_->machine();
    machine.stream.reset(name_.child(kNodeStream, chosen), kReplaySlot, barrier);
    if (!replay_path(machine, sweep.execution(chosen), nullptr, values, sweep.history(chosen), path))
      trouble_ = machine.failure();
  }

  SweepSettings settings_;
  std::optional<Crew> crew_;
  std::optional<ConditionalSweeps> chain_;
  StreamName name_;
  std::uint64_t number_ = 0;
  std::vector<FutureDensity> futures_;
  std::vector<double> chances_;
  std::optional<Diagnostic> trouble_;
};

}  // namespace

EngineDef pgas_engine() {
  return {"pgas", "particle Gibbs with ancestor sampling",
          {{"number-of-particles", "integer >= 2 (20)", "particles in a sweep, the retained one included"}},
          [](const RunSetup& setup, const std::vector<OptionValue>& options,
             DiagnosticSink& sink) -> std::unique_ptr<Engine> {
            OptionReader read("pgas", options, sink);
            SweepSettings settings;
            settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles", 20, 2));
            if (!read.ok()) return nullptr;
            return std::make_unique<Pgas>(setup, settings);
          }};
}

}  // namespace chancel
