// SPDX-License-Identifier: Apache-2.0
// Engine anneal: a population of executions is led from the prior to the posterior, through
// prior times likelihood^temperature (Neal 2001; Del Moral, Doucet & Jasra 2006). At each temperature
// the states are weighted, M of them are drawn as starts, and each start is the first state of a
// chain of P: all M * P states are the next population (waste-free SMC: Dau & Chopin 2022).
// The evidence is the product of the mean weights.
//
// Temperatures are chosen by the effective number of states and moves are tuned by the population, both
// before any of the moves at that temperature: the evidence is consistent, with a bias of the
// order of 1/N in Z. With a given number of temperatures and single-site moves from the prior it is
// unbiased.
//
// Chains are independent between two temperatures: threads and ranks divide them
// (tempered_population.hpp). Everything else is done on every rank, with the same bits.
#include <algorithm>
#include <cmath>

#include "base/planted.hpp"
#include "engines/give_up.hpp"
#include "engines/survey.hpp"
#include "gradient/recording_trial.hpp"
#include "infer/guarded_engine.hpp"
#include "infer/options.hpp"
#include "math/elementary.hpp"
#include "particles/waste_free_error.hpp"
#include "tempering/sequential_share.hpp"
#include "tempering/temperatures.hpp"
#include "tempering/tempered_tuner.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kDeadRuns = 20;  // with given temperatures, before the engine gives up
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};  // no observe: all of them

struct AnnealSettings {
  std::size_t particles, chains;
  std::uint64_t temperatures;  // 0: as the population says
  double ess_threshold;
  std::optional<MoveKind> move;  // nothing: what the program allows
  std::uint64_t steps;           // 0: as many as there are draws, one for nuts
  bool noise;                    // moves by noise beside single-site steps
};

class Anneal final : public GuardedEngine {
 public:
  Anneal(const RunSetup& setup, const AnnealSettings& settings)
      : GuardedEngine(setup), settings_(settings), evidence_(setup.wanted_draws) {
    settings_.chains = std::min(settings_.chains, settings_.particles);
    length_ = (settings_.particles + settings_.chains - 1) / settings_.chains;
  }

  bool can_help() const override { return setup_.ranks != nullptr; }
  void help() override { step_along(); }

 protected:
  bool advance(Sink& sink) override {
    if (!population_) {
      const MoveKind kind = settings_.move ? *settings_.move : usual_moves();
      if (setup_.delayed && kind != MoveKind::SingleSite)
        return fail_together({Code::I002,
                              Severity::Error,
                              {},
                              "anneal: with :delayed draws are moved one by one",
                              "leave out :move, or :delayed",
                              {}});
      population_.emplace(setup_, team(), kind, settings_.chains, length_);
      tuner_.emplace(*population_, kind, settings_.steps, settings_.noise);
    }
    if (!run(setup_.name.child(kSweepStream, number_), sink)) return false;
    statistics_.temperatures += generations_.size();
    const bool alive = log_evidence_ != kLogZero;
    if (!alive) {
      if (settings_.temperatures == 0 || (++dead_ >= kDeadRuns && dead_ == number_ + 1))
        return fail_all_zero("no execution from the prior satisfies the observations",
                             "with more particles it is sooner found when it is merely rare");
    } else {
      if (!unless_failed(population_->bring_outputs())) return false;
      if (!setup_.ranks || setup_.ranks->first()) give(sink);
    }
    ++number_;
    tell_evidence(alive);
    return true;
  }

 private:
  // Nuts for continuous draws that can be recorded.
  MoveKind usual_moves() {
    if (setup_.delayed) return MoveKind::SingleSite;
    const Survey s = take_survey(setup_);
    if (s.continuous == 0) return MoveKind::SingleSite;
    constexpr unsigned kRecordings = 5;
    const bool recordable = try_recording(setup_, kRecordings).against_nuts.empty();
    return recordable ? MoveKind::Nuts : MoveKind::SingleSite;
  }

  bool unless_failed(bool ok) {
    if (ok) return true;
    failed_together_ = population_->failed_together();
    return fail(*population_->failure());
  }

  // A run from the prior to the posterior. False: the engine has failed.
  bool run(StreamName name, Sink& sink) {
    generations_.clear();
    log_evidence_ = 0;
    if (!draw_prior(name)) return false;
    tuner_->begin();
    TemperedTuning tuning;
    for (std::uint64_t t = 0; log_evidence_ != kLogZero && tuning.temperature < 1; ++t) {
      if (!weigh(name, t, &tuning, sink)) return false;
      if (log_evidence_ == kLogZero) return true;
      if (!move(name, t, &tuning)) return false;
    }
    return true;
  }

  // A round of executions from the prior; those that the observations allow are kept. If they are
  // fewer than the chains, and temperatures are not given, more rounds follow until each chain has
  // one, up to a limit.
  bool draw_prior(StreamName name) {
    std::vector<TemperedState>& states = population_->states();
    states.clear();
    const std::size_t round = length_ * settings_.chains;
    std::vector<std::uint64_t> places;  // of possible ones among those drawn
    drawn_ = 0;
    while (drawn_ == 0 ||
           (settings_.temperatures == 0 && drawn_ < kGiveUpExecutions.tries + round &&
            places.size() < settings_.chains + (drawn_ > round ? 1 : 0))) {
      const std::size_t before = states.size();
      if (!unless_failed(population_->draw_prior(name, drawn_, round))) return false;
      for (std::size_t i = 0; i < round; ++i)
        if (states[before + i].log_likelihood != kLogZero) places.push_back(drawn_ + i);
      drawn_ += round;
      std::erase_if(states, [](const TemperedState& s) { return s.log_likelihood == kLogZero; });
    }
    statistics_.simulations += drawn_;
    statistics_.zero_weight += drawn_ - states.size();
    log_possible_ = math::log(static_cast<double>(states.size()) / static_cast<double>(drawn_));
    if (drawn_ > round && places.size() > settings_.chains) {
      states.resize(settings_.chains);
      drawn_ = places[settings_.chains];
      log_possible_ = math::log(sequential_share(settings_.chains, round, drawn_ - round));
    }
    return true;
  }

  // Chooses the next temperature, weighs the population there and draws the starts of its chains.
  bool weigh(StreamName name, std::uint64_t t, TemperedTuning* tuning, Sink& sink) {
    const std::vector<TemperedState>& states = population_->states();
    if (states.empty()) {
      log_evidence_ = kLogZero;
      return true;
    }
    std::vector<double> logs;
    for (const TemperedState& s : states) logs.push_back(s.log_likelihood);
    const double from = tuning->temperature;
    tuning->temperature = settings_.temperatures == 0
                              ? next_temperature(logs, from, settings_.ess_threshold)
                              : std::min(1.0, static_cast<double>(t + 1) /
                                                  static_cast<double>(settings_.temperatures));
    const double power =
        planted(Mistake::WeightsNotReset) ? tuning->temperature : tuning->temperature - from;
    for (double& l : logs) l *= power;
    const double highest = *std::max_element(logs.begin(), logs.end());
    if (highest == INFINITY)
      return fail_together({Code::R012,
                            Severity::Error,
                            {},
                            "observe: the density is infinite, so the weights cannot be compared",
                            "",
                            {}});
    double sum = 0, squares = 0;
    for (double& l : logs) {
      l = math::exp(l - highest);
      sum += l;
      squares += l * l;
    }
    const double log_mean = highest + math::log(sum / static_cast<double>(states.size())) +
                            (t == 0 ? log_possible_ : 0);
    log_evidence_ += log_mean;
    add_generation(logs, t);
    if (!draw_starts(logs, sum, name, t)) return false;
    weights_ = std::move(logs);
    BarrierStatistics barrier;
    barrier.sweep = number_;
    barrier.barrier = static_cast<std::uint32_t>(t);
    barrier.site = kNowhere;
    barrier.ess = sum * sum / squares;
    barrier.resampled = true;
    barrier.distinct_ancestors =
        static_cast<std::uint32_t>(std::unique(chosen_.begin(), chosen_.end()) - chosen_.begin());
    barrier.log_mean_weight = log_mean;
    tell(barrier, sink);
    return true;
  }

  void add_generation(const std::vector<double>& weights, std::uint64_t t) {
    BlockGeneration& g = generations_.emplace_back();
    g.parents = parents_;
    if (t == 0) {  // each draw by itself, with those of weight zero
      g.weights = weights;
      g.weights.resize(drawn_, 0);
    } else {
      g.weights.assign(settings_.chains, 0);
      for (std::size_t i = 0; i < weights.size(); ++i) g.weights[i / length_] += weights[i];
    }
  }

  // Systematic: chain after chain, so that each has offspring by its weight, up to one.
  bool draw_starts(const std::vector<double>& weights, double sum, StreamName name,
                   std::uint64_t t) {
    Stream stream(name, kResamplingSlot, static_cast<std::uint32_t>(t));
    stream.set_source(setup_.source());
    const double u = stream.uniform();
    const std::size_t m = settings_.chains;
    chosen_.clear();
    std::size_t at = 0;
    double cumulated = weights[0];
    const bool uniform = planted(Mistake::UniformStarts);
    for (std::size_t j = 0; j < m; ++j) {
      const double point = (u + static_cast<double>(j)) / static_cast<double>(m) * sum;
      while (point >= cumulated && at + 1 < weights.size()) cumulated += weights[++at];
      while (weights[at] == 0 && at > 0) --at;  // where rounding ends
      chosen_.push_back(uniform ? j * weights.size() / m : at);
    }
    parents_.clear();
    for (const std::size_t c : chosen_)
      parents_.push_back(static_cast<std::uint32_t>(t == 0 ? c : c / length_));
    return unless_failed(population_->take_starts(chosen_));
  }

  bool move(StreamName name, std::uint64_t t, TemperedTuning* tuning) {
    const StreamName here = name.child(kStepStream, t);
    if (!unless_failed(tuner_->tune(here, weights_, generations_.size() == 1, tuning)))
      return false;
    std::vector<TemperedFigures> figures;
    if (!unless_failed(population_->run_chains(here, *tuning, &figures))) return false;
    tuner_->learn_from(figures, tuning, &statistics_);
    return true;
  }

  void tell(const BarrierStatistics& barrier, Sink& sink) {
    sink.barrier(barrier);
    const auto seen = static_cast<double>(statistics_.resamplings++);
    statistics_.mean_ess = (statistics_.mean_ess * seen + barrier.ess) / (seen + 1);
    statistics_.mean_distinct_ancestors =
        (statistics_.mean_distinct_ancestors * seen + barrier.distinct_ancestors) / (seen + 1);
    statistics_.min_ess_site = kNowhere;
    statistics_.min_ess = seen == 0 ? barrier.ess : std::min(statistics_.min_ess, barrier.ess);
  }

  void give(Sink& sink) {
    for (TemperedState& s : population_->states()) {
      EngineDraw draw;
      draw.predicts = s.predicts;
      draw.result = s.result;
      draw.log_weight = log_evidence_;
      draw.log_joint = s.log_joint;
      draw.observes = std::move(s.observes);
      draw.sweep = number_;
      draw.chain = setup_.chain;
      draw.applications = s.applications;
      sink.draw(draw);
    }
    look_for_observes(population_->states().size(), population_->observed(), sink);
  }

  void tell_evidence(bool alive) {
    evidence_.add(log_evidence_, alive ? population_->states().size() : 0, false);
    if (alive) {
      const SweepError error = waste_free_error(generations_);
      variance_.add(2 * log_evidence_ + math::log(error.variance));
      freedom_ += error.families - 1;
    }
    const LogMoments& values = evidence_.values();
    statistics_.independent = true;
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = values.log_mean();
    statistics_.evidence_parts = values;
    const auto n = static_cast<double>(number_);
    statistics_.log_evidence_se =
        number_ >= kFew || dead_ > 0
            ? values.log_mean_se()
            : widening(freedom_) *
                  std::sqrt(math::exp(variance_.log_mean() - 2 * values.log_mean()) / n);
    statistics_.peak_memory = population_->peak_memory();
  }

  static constexpr std::uint64_t kFew = 10;
  AnnealSettings settings_;
  std::size_t length_;  // of a chain
  std::optional<TemperedPopulation> population_;
  std::optional<TemperedTuner> tuner_;
  std::vector<double> weights_;         // of the population, at the new temperature
  std::vector<std::size_t> chosen_;     // in the population
  std::vector<std::uint32_t> parents_;  // blocks that they are from
  std::vector<BlockGeneration> generations_;
  std::uint64_t drawn_ = 0;  // from the prior
  double log_possible_ = 0;  // share of those that the observations allow
  double log_evidence_ = 0;  // of the run at work
  std::uint64_t number_ = 0, dead_ = 0;
  RunEvidence evidence_;
  LogMoments variance_;
  double freedom_ = 0;
};

}  // namespace

EngineDef anneal_engine() {
  return {
      "anneal",
      "from the prior to the posterior by tempering the likelihood (waste-free SMC)",
      {integer_option("number-of-particles", 1000, 2, "states of the population"),
       integer_option("number-of-chains", 100, 1,
                      "chains that make them from one temperature to the next"),
       real_option("ess-threshold", 0.5, 0.01, 0.99,
                   "the next temperature leaves this share of the states effective"),
       integer_option("temperatures", 0, 0,
                      "number of equal steps to 1 instead, which do not depend on the population",
                      kMostInteger, "by ess-threshold"),
       word_option("move", {"auto", "nuts", "block", "single-site"},
                   "what moves continuous draws: nuts or a walk of all of them together, or "
                   "single-site steps, which all other draws get; auto: nuts, where the "
                   "program can be recorded"),
       integer_option("steps", 0, 0, "moves from one state to the next", kMostInteger,
                      "nuts: 1; others: the number of draws"),
       word_option("noise", {"auto", "none"},
                   "moves of all draws together in terms of their noise, beside single-site "
                   "steps and at most as many; none: without"),
       delayed_option()},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        const std::string& move = read.word("move");
        std::optional<MoveKind> kind;
        if (move != "auto")
          kind = move == "nuts"    ? MoveKind::Nuts
                 : move == "block" ? MoveKind::Block
                                   : MoveKind::SingleSite;
        return std::make_unique<Anneal>(
            setup,
            AnnealSettings{read.integer("number-of-particles"), read.integer("number-of-chains"),
                           read.integer("temperatures"), read.real("ess-threshold"), kind,
                           read.integer("steps"), read.word("noise") == "auto"});
      },
      EngineDef::Gives::Sweeps};
}

}  // namespace chancel
