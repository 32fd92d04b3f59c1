// SPDX-License-Identifier: Apache-2.0
// Engine nuts: Hamiltonian moves (nuts_move.hpp) of all continuous draws together, on the recorded
// program (recorded_density.hpp). Warm-up tunes step size and metric as Stan does; afterwards nothing
// changes.
#include <cmath>

#include "infer/guarded_engine.hpp"
#include "infer/nuts_warmup.hpp"
#include "infer/recorded_density.hpp"

namespace chancel {

namespace {

constexpr int kStarts = 100;  // points at which a chain may begin
constexpr double kReach = 2;  // coordinates of the first state are within it
constexpr std::uint64_t kStartSlot = ~std::uint64_t{0};

struct NutsSettings {
  double target;
  unsigned max_depth;
  bool dense;
};

class NutsEngine final : public GuardedEngine {
 public:
  NutsEngine(const RunSetup& setup, const NutsSettings& settings)
      : GuardedEngine(setup),
        workers_(setup, nullptr, setup.max_memory),
        density_(workers_, 0),
        name_(setup.name.child(kStepStream, 0)),
        settings_(settings) {
    workers_.refuse_hidden_draws();
  }

 protected:
  bool advance(Sink& sink) override {
    if (!move_ && !start()) return false;
    Stream stream = stream_of(number_++);
    const NutsFigures figures = move_->move(stream);
    workers_.collect_if_due();
    statistics_.simulations += figures.steps;
    statistics_.peak_memory = workers_.heap().peak();
    if (!warmup_->over()) {
      warmup_->learn(figures, stream);
      ++statistics_.warmup;
      return true;
    }
    RecordedDensity::Output output;
    if (!density_.output(move_->position(), &output)) return fail(not_there());
    EngineDraw draw;
    draw.predicts = output.predicts;
    draw.result = output.result;
    draw.sweep = kept_++;
    draw.chain = setup_.chain;
    draw.applications = output.applications;
    sink.draw(draw);
    ++statistics_.proposals;
    if (figures.steps > 0) ++statistics_.accepted;
    statistics_.applications += figures.steps * output.applications;
    look_for_observes(kept_, density_.observed(), sink);
    return true;
  }

 private:
  Stream stream_of(std::uint64_t number) const {
    Stream stream(name_, static_cast<std::uint32_t>(number >> 32),
                  static_cast<std::uint32_t>(number));
    return stream;
  }

  bool start() {
    for (std::uint64_t i = 0; i < kStarts; ++i) {
      Stream stream = stream_of(kStartSlot - i);
      switch (density_.begin(stream, kReach)) {
        case RecordedDensity::Begin::Failed:
          if (i + 1 == kStarts || !is_numeric_failure()) return fail(*density_.failure());
          continue;
        case RecordedDensity::Begin::Impossible:
          continue;
        case RecordedDensity::Begin::Ready:
          break;
      }
      if (density_.dimension() == 0) return fail(nothing_to_move());
      auto move =
          std::make_unique<NutsMove>(density_, Metric(density_.dimension(), settings_.dense));
      move->max_depth = settings_.max_depth;
      if (!move->start(density_.coordinates())) continue;
      auto warmup = std::make_unique<NutsWarmup>(*move, setup_.warmup, settings_.target);
      if (!warmup->begin(stream)) continue;
      move_ = std::move(move);
      warmup_ = std::move(warmup);
      return true;
    }
    if (density_.refusal()) return fail(*density_.refusal());
    return fail_all_zero(
        "no point that was tried has a density and a slope, so there is no state to "
        "start from",
        "pgibbs and lmh start from executions of the prior");
  }
  // A first state may be far out: numbers that a distribution refuses there are no mistake yet.
  bool is_numeric_failure() const {
    const Code code = density_.failure()->code;
    return code == Code::R005 || code == Code::R009 || code == Code::R012;
  }
  Diagnostic nothing_to_move() const {
    const bool none = density_.draws() == 0;
    return {Code::I002,
            Severity::Error,
            {},
            none ? "nuts: the program draws nothing" : "nuts: no draw of the program is continuous",
            none ? "its result is the same in every execution: chancel run shows it"
                 : "use lmh, pgibbs or enumerate for discrete draws",
            {}};
  }
  Diagnostic not_there() const {
    return {Code::R014, Severity::Error, {}, "a state that was accepted cannot be run again", "",
            {}};
  }

  WorkerPool workers_;
  RecordedDensity density_;
  StreamName name_;
  NutsSettings settings_;
  std::unique_ptr<NutsMove> move_;
  std::unique_ptr<NutsWarmup> warmup_;
  std::uint64_t number_ = 0, kept_ = 0;
};

}  // namespace

EngineDef nuts_engine() {
  return {"nuts",
          "no-U-turn Hamiltonian moves of all continuous draws together",
          {real_option("target-acceptance", 0.8, 0.01, 0.999,
                       "mean acceptance that warm-up tunes the step size to"),
           integer_option("max-depth", 10, 1, "doublings of a trajectory, at most", 20),
           word_option("metric", {"diagonal", "dense"},
                       "what warm-up learns of the posterior: variances, or covariances too")},
          [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
            return std::make_unique<NutsEngine>(
                setup, NutsSettings{read.real("target-acceptance"),
                                    static_cast<unsigned>(read.integer("max-depth")),
                                    read.word("metric") == "dense"});
          },
          EngineDef::Gives::Draws,
          true};
}

}  // namespace chancel
