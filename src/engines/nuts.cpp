// SPDX-License-Identifier: Apache-2.0
// Engine nuts: Hamiltonian moves (nuts_move.hpp) of all continuous draws together, on the recorded
// program (recorded_density.hpp). Warm-up tunes step size and metric as Stan does; afterwards nothing
// changes.
//
// Draws that cannot move along a gradient (discrete ones, and those that decide which others there
// are) get single-site steps in between, as many as there are of them: each kind of move leaves the
// posterior invariant, given the other draws. After steps that changed something the program is
// recorded again. Structures with other continuous draws have a step size and metric of their own.
// Once a trajectory has come to a place where the program makes other draws, single-site steps are
// for all draws, so that the chain gets there.
//
// A structure that cannot be recorded ends the run, or (:refused :rmh) hands the chain to rmh, which starts with a
// warm-up of its own. What a chain does depends on its own streams only, so the draws are the same for any threads.
#include <algorithm>
#include <cmath>
#include <map>

#include "engines/recorded_engine.hpp"
#include "engines/single_site_engine.hpp"
#include "gradient/normal_approximation.hpp"
#include "gradient/nuts_warmup.hpp"
#include "infer/failing_share.hpp"
#include "single_site/single_site.hpp"

namespace chancel {

namespace {

constexpr std::size_t kMostOthers = 1000;  // single-site steps between two moves
constexpr double kWalkShare = 0.5;         // among those of held continuous draws

// Streams beside those of the moves (StreamName::child of kChainStream).
enum OtherStream : std::uint64_t { kHeldSteps, kAllSteps, kReplays, kTuning, kInstead };
// Steps of the warm-up of rmh for one of nuts: a step changes one draw.
constexpr std::uint64_t kOtherWarmup = 4, kLeastWarmup = 250;
constexpr double kManyFailures = 0.01;  // of the executions from the prior

struct NutsSettings {
  double target;
  unsigned max_depth;
  bool dense;
  bool others;                                // draws that cannot move get single-site steps
  std::optional<SingleSiteSettings> instead;  // of rmh, where a structure cannot be recorded
  enum class Start : std::uint8_t { Random, Mode, Laplace } start;
};

class NutsEngine final : public RecordedEngine {
 public:
  NutsEngine(const RunSetup& setup, const NutsSettings& settings)
      : RecordedEngine(setup, "nuts"), settings_(settings) {}

 protected:
  bool advance(Sink& sink) override {
    if (!instead_ && make_move(sink)) return true;
    return (instead_ || hand_over(sink)) && step_instead(sink);
  }

  bool takes_draws() override {
    if (!draws_something()) return false;
    const bool has_others = density_.held_draws() > 0;
    // Draws that nothing observed depends on are drawn again for each output.
    return density_.dimension() > 0 || !has_others || settings_.others ||
           refuse("no draw of the program is continuous, and :others is none",
                  "use lmh, pgibbs or enumerate for discrete draws");
  }

 private:
  bool make_move(Sink& sink) {
    if (!started_ && !start()) return false;
    if (!warms_up() && !looked_for_failures_ && density_.refusals() > 0) look_for_failures(sink);
    const bool warms_up = this->warms_up();
    Stream stream = stream_of(number_++);
    NutsFigures figures;
    const std::uint64_t misses = density_.elsewhere() + density_.refusals();
    if (tuned_) {
      figures = tuned_->move.move(stream);
      // Where the program makes other draws, or fails, the trajectory ends without diverging.
      if (density_.elsewhere() + density_.refusals() > misses) figures.divergent = false;
      statistics_.simulations += figures.steps;
      if (!warms_up && figures.divergent) statistics_.places.divergence(tuned_->move.divergence());
      if (!tuned_->warmup.over()) tuned_->warmup.learn(figures, stream);
    }
    // The first trajectories are wild: that a scale was beyond all bounds there says nothing.
    if (2 * statistics_.warmup < setup_.warmup) wild_ = density_.piled_up();
    if (settings_.others && !all_steps_ && density_.elsewhere() > wild_)
      take_others(all_steps_, density_.draws());
    if (others_ && !(move_others(warms_up) && note_structure())) return false;
    workers_.collect_if_due();
    statistics_.peak_memory = workers_.heap().peak();
    if (warms_up) {
      if (++statistics_.warmup == setup_.warmup) freeze();
      return true;
    }
    EngineDraw draw;
    if (tuned_) statistics_.places.draw(position());
    if (!fill(position(), kept_++, stream, &draw)) return false;
    if (tuned_)
      draw.move = {figures.acceptance, tuned_->move.step_size, figures.energy,
                   figures.depth,      figures.steps,          figures.divergent};
    sink.draw(draw);
    ++statistics_.proposals;
    ++statistics_.accepted;
    if (figures.depth == settings_.max_depth) ++statistics_.saturated;
    // A few points, far out at the end of long trajectories, say nothing about the program.
    constexpr std::uint64_t kFew = 5, kSeldom = 200;
    if (density_.refusals() - refusals_before_ > kFew + kept_ / kSeldom) warn_refusal(sink);
    statistics_.applications += (figures.steps + 1) * draw.applications;
    look_for_observes(kept_, density_.observed(), sink);
    return true;
  }

  // rmh takes what nuts cannot record. False: the failure is another one, or is to end the run.
  bool hand_over(Sink& sink) {
    if (!settings_.instead || !failure_ || failure_->code != Code::R014) return false;
    Diagnostic why = std::move(*failure_);
    failure_.reset();
    why.severity = Severity::Warning;
    why.message = "a chain goes to rmh, since nuts cannot record this: " + why.message;
    why.hint = "the draws are right; -a rmh takes them from the start";
    sink.warning(why);
    before_ = statistics_;
    SingleSiteSettings settings = *settings_.instead;
    RunSetup setup = setup_;
    setup.name = setup_.name.child(kChainStream, kInstead);
    settings.warmup = setup.warmup =
        std::max<std::uint64_t>(setup_.warmup, kLeastWarmup) * kOtherWarmup;
    instead_ = std::make_unique<SingleSiteEngine>(setup, settings);
    return true;
  }
  bool step_instead(Sink& sink) {
    Continued draws(sink, kept_);
    if (!instead_->step(draws)) {
      if (instead_->failure()) return fail(*instead_->failure());
      return false;
    }
    const EngineStatistics& now = instead_->statistics();
    statistics_.simulations = before_.simulations + now.simulations;
    statistics_.applications = before_.applications + now.applications;
    statistics_.proposals = before_.proposals + now.proposals;
    statistics_.accepted = before_.accepted + now.accepted;
    statistics_.peak_memory = std::max(before_.peak_memory, now.peak_memory);
    statistics_.warmup = before_.warmup + now.warmup;
    statistics_.moves = now.moves;
    statistics_.structures = now.structures;
    return true;
  }

  bool warms_up() const { return statistics_.warmup < setup_.warmup; }

  // Draws that follow those of nuts.
  class Continued final : public Sink {
   public:
    Continued(Sink& sink, std::uint64_t before) : sink_(sink), before_(before) {}
    void draw(const EngineDraw& d) override {
      EngineDraw later = d;
      later.sweep += before_;
      sink_.draw(later);
    }
    void warning(const Diagnostic& d) override { sink_.warning(d); }

   private:
    Sink& sink_;
    std::uint64_t before_;
  };

  // What warm-up has learnt for one structure.
  struct Tuned {
    NutsMove move;
    NutsWarmup warmup;
    Tuned(RecordedDensity& density, const NutsSettings& settings, std::uint64_t length)
        : move(density, metric_of(density, settings)), warmup(move, length, settings.target) {
      move.max_depth = settings.max_depth;
    }
    static Metric metric_of(const RecordedDensity& density, const NutsSettings& settings) {
      // The metric and its factor, what warm-up estimates, and a decomposition at work.
      constexpr std::size_t kMatrices = 6;
      const auto n = static_cast<std::size_t>(density.dimension());
      if (settings.dense) density.room_for(kMatrices * n * n);
      return Metric(density.dimension(), settings.dense);
    }
  };

  // Takes up the structure that the density has now, where it is. False: there is no step to take.
  bool tune(Stream& stream) {
    if (density_.dimension() == 0) {
      tuned_ = nullptr;
      return true;
    }
    auto& known = by_structure_[density_.signature()];
    const bool is_new = !known;
    if (is_new) {
      const std::uint64_t left = setup_.warmup - std::min(setup_.warmup, statistics_.warmup);
      known = std::make_unique<Tuned>(density_, settings_, left);
      known->move.step_size = left > 0 && tuned_ ? tuned_->move.step_size : final_step_;
    }
    if (!known->move.start(density_.coordinates())) return false;
    if (is_new && !known->warmup.over() && !known->warmup.begin(stream)) return false;
    tuned_ = known.get();
    statistics_.places.enter(density_.places());
    return true;
  }

  // Structures that were seldom met have learnt less; those that come later take what there is.
  void freeze() {
    for (auto& [signature, tuned] : by_structure_) tuned->warmup.end();
    if (tuned_) final_step_ = tuned_->move.step_size;
    refusals_before_ = density_.refusals();
  }

  bool start() {
    started_ = begin([&](Stream& stream) {
      by_structure_.clear();
      tuned_ = nullptr;
      if (settings_.start != NutsSettings::Start::Random && !go_to_mode(stream)) return false;
      if (tune(stream)) return true;
      if (!no_start_) no_start_ = density_.missing_slope(density_.coordinates());
      return false;
    });
    if (started_ && settings_.others && density_.held_draws() > 0)
      take_others(held_steps_, density_.held_draws());
    return started_;
  }

  // To the mode above a random point, or a draw of the normal approximation there. Where there is no
  // such thing, the chain starts at the random point. False: at neither.
  bool go_to_mode(Stream& stream) {
    Eigen::VectorXd q = density_.coordinates();
    if (q.size() == 0) return true;
    if (settings_.start == NutsSettings::Start::Mode) {
      const Mode mode = find_mode(density_, q);
      statistics_.simulations += mode.evaluations;
      if (mode.end == ModeEnd::Converged) q = mode.q;
    } else if (Laplace normal(density_); normal.fit(q) == LaplaceEnd::Fitted) {
      statistics_.simulations += normal.mode().evaluations;
      Eigen::VectorXd drawn;
      q = std::isfinite(normal.draw(stream, drawn)) ? drawn : normal.mode().q;
    }
    std::vector<DrawnValue> draws;
    return density_.values(q, &draws) && density_.begin(draws) == RecordedDensity::Begin::Ready;
  }

  // Single-site steps of the draws that are held, or of all. Their number is the same in every state:
  // one that depends on the state would change what the steps leave invariant.
  void take_others(std::unique_ptr<SingleSiteChain>& steps, std::size_t draws) {
    SingleSiteSettings settings;
    settings.held_only = &steps == &held_steps_;
    settings.beside_gradient = true;
    if (settings.held_only) {  // continuous ones among them find a narrow posterior by a walk
      settings.walk_share = kWalkShare;
      settings.warmup = setup_.warmup;
    }
    steps = std::make_unique<SingleSiteChain>(
        workers_, 0, stream_name_.child(kChainStream, settings.held_only ? kHeldSteps : kAllSteps),
        settings);
    others_ = steps.get();
    others_->count_moves_in(statistics_.moves);
    other_steps_ = std::min(draws, kMostOthers);
  }

  const Eigen::VectorXd& position() const {
    return tuned_ ? tuned_->move.position() : density_.coordinates();
  }

  // Single-site steps for the draws that do not move along a gradient.
  bool move_others(bool warms_up) {
    std::vector<DrawnValue> draws;
    if (!density_.values(position(), &draws)) return fail(not_there());
    std::vector<Value> values;
    for (const DrawnValue& d : draws) values.push_back(d.value);
    workers_.machine().stream = stream_of(stream_name_.child(kChainStream, kReplays), number_);
    if (!others_->trace().replay(values)) return fail(*others_->failure());
    const std::uint64_t accepted = others_->accepted();
    for (std::size_t i = 0; i < other_steps_; ++i)
      if (!others_->step()) return fail(*others_->failure());
    statistics_.simulations += other_steps_ + 1;
    if (warms_up && statistics_.warmup + 1 == setup_.warmup) others_->freeze();
    if (others_->accepted() == accepted && !(warms_up && statistics_.warmup + 1 == setup_.warmup))
      return true;
    draws.clear();
    const Trace& trace = others_->trace();
    for (std::size_t i = 0; i < trace.size(); ++i)
      draws.push_back({trace.choice(i).site, trace.choice(i).id, trace.choice(i).value});
    if (density_.begin(draws) != RecordedDensity::Begin::Ready)
      return fail(density_.failure() ? *density_.failure() : not_there());
    Stream stream = stream_of(stream_name_.child(kChainStream, kTuning), number_);
    return tune(stream) || fail(not_there());
  }

  // The trace of the other draws stands where the chain does.
  bool note_structure() {
    Trace& trace = others_->trace();
    double log_joint = NAN;
    if (trace.has_library_draws() && !trace.log_joint(&log_joint)) return fail(*others_->failure());
    statistics_.structures.step(trace.structure(structure_), log_joint);
    return true;
  }

  // Trajectories came to draws at which the program fails. If executions from the prior fail as well, the draws are
  // those of another program: of this one, given that it does not fail.
  void look_for_failures(Sink& sink) {
    looked_for_failures_ = true;
    FailingShare share = find_failing_share(workers_);
    if (!share.first || share.failing < kManyFailures * share.executions) return;
    if (share.first->code == Code::R014) return;  // they do not fail in rmh, which takes the chain
    Diagnostic d = std::move(*share.first);
    d.severity = Severity::Warning;
    d.message = fmt::format(
        "nuts leaves out the draws at which the program fails, as {:.3g} % of the executions from "
        "the prior do: {}",
        100.0 * share.failing / share.executions, d.message);
    d.hint = kAvoidFailures;
    warn_once(&said_refusal_, std::move(d), sink);
  }
  // The program fails at points that trajectories come to: they are left out, as if impossible.
  void warn_refusal(Sink& sink) {
    Diagnostic d = *density_.refusal();
    d.severity = Severity::Warning;
    d.message = "nuts came to draws at which the program fails: " + d.message;
    d.hint = kAvoidFailures;
    warn_once(&said_refusal_, std::move(d), sink);
  }
  Diagnostic not_there() const {
    return {Code::R014, Severity::Error, {}, "a state that was accepted cannot be run again", "",
            {}};
  }

  static constexpr const char* kAvoidFailures =
      "such draws count as impossible; keep them out by a prior that does not allow them, or "
      "mend the program for them";

  NutsSettings settings_;
  std::unique_ptr<SingleSiteEngine> instead_;  // has taken the chain over
  EngineStatistics before_;                    // until then
  std::map<std::uint64_t, std::unique_ptr<Tuned>> by_structure_;
  Tuned* tuned_ = nullptr;  // of the present structure; null: it has no continuous draw
  std::unique_ptr<SingleSiteChain> held_steps_, all_steps_;
  SingleSiteChain* others_ = nullptr;  // the one in use
  std::size_t other_steps_ = 0;
  StructureReader structure_;
  double final_step_ = 1;  // of structures that are new after warm-up
  bool started_ = false;
  std::uint64_t number_ = 0, kept_ = 0;
  std::uint64_t refusals_before_ = 0;  // in warm-up
  std::uint64_t wild_ = 0;             // trajectories that left the structure for huge scales
  bool said_refusal_ = false, looked_for_failures_ = false;
};

}  // namespace

EngineDef nuts_engine() {
  return {
      "nuts",
      "no-U-turn Hamiltonian moves of all continuous draws together",
      {real_option("target-acceptance", 0.8, 0.01, 0.999,
                   "mean acceptance that warm-up tunes the step size to"),
       integer_option("max-depth", 10, 1, "doublings of a trajectory, at most", 20),
       word_option("metric", {"diagonal", "dense"},
                   "what warm-up learns of the posterior: variances, or covariances too"),
       word_option("others", {"lmh", "none"},
                   "what moves draws that have no gradient: single-site steps, or nothing"),
       word_option("refused", {"fail", "rmh"},
                   "what becomes of a chain that comes to an execution that cannot be recorded: "
                   "the run fails, or rmh "
                   "takes the chain"),
       word_option("start", {"random", "mode", "laplace"},
                   "where a chain starts: at a random point; at the mode above it, as map finds "
                   "it; at a draw of the normal approximation there, as laplace makes it")},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        const std::string& start = read.word("start");
        std::optional<SingleSiteSettings> instead;
        if (read.word("refused") == "rmh") {
          instead.emplace();
          instead->walk_share = kWalkShare;
          instead->walk_scale = 0.5;
        }
        return std::make_unique<NutsEngine>(
            setup,
            NutsSettings{read.real("target-acceptance"),
                         static_cast<unsigned>(read.integer("max-depth")),
                         read.word("metric") == "dense", read.word("others") == "lmh", instead,
                         start == "mode"      ? NutsSettings::Start::Mode
                         : start == "laplace" ? NutsSettings::Start::Laplace
                                              : NutsSettings::Start::Random});
      },
      EngineDef::Gives::Draws,
      true};
}

}  // namespace chancel
