// SPDX-License-Identifier: Apache-2.0
// Engine pmmh: particle marginal Metropolis-Hastings (Andrieu, Doucet & Holenstein 2010, section
// 2.4.2). The chain is over the static parameters (parameters.hpp); the likelihood is the unbiased
// estimate of a sweep that is given them. Each draw has a path of the last sweep that was accepted.
//
// Continuous parameters move together, by an adaptive walk on the real line (adaptive_walk.hpp) or by
// what warm-up learns about them (learnt_normal.hpp); the others one at a time, by proposals
// from their distributions. So do, now and then, those whose distributions clip their draws: a
// joint move neither leaves nor reaches a point that has mass.
//
// The random numbers of a sweep are a part of the chain's state (correlated pseudo-marginal method,
// Deligiannidis, Doucet & Pitt 2018, in the block form of Tran, Kohn, Quiroz & Villani 2016): they are
// named by block of observes, and a proposal renews the name of one block. Particles are resampled in
// the order of their last numbers, so that sweeps with the same random numbers and parameters nearby
// are alike; then the noise of two likelihoods cancels in their ratio.
#include <cmath>

#include "base/planted.hpp"
#include "engines/give_up.hpp"
#include "fmt/format.h"
#include "gradient/adaptive_walk.hpp"
#include "infer/rescoring.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "particles/learnt_normal.hpp"
#include "particles/parameter_line.hpp"
#include "particles/sweep_engine.hpp"

namespace chancel {

namespace {

constexpr std::uint64_t kBlockStream = 0x301, kStartStream = 0x302, kTrialStream = 0x303;
constexpr unsigned kTrials = 20;  // sweeps from which the variance of the likelihood is estimated
constexpr double kOtherShare = 0.5;     // of moves, for parameters that do not move together
constexpr double kClippedShare = 0.05;  // where these are clipped ones only
constexpr double kNearShare = 0.25;     // of the others: those that go a part of the way
constexpr double kCorrelation = 0.5;
// Variances of the log-likelihood at which a chain does most for its particles: in few dimensions
// (Doucet, Pitt, Deligiannidis & Kohn 2015), and in many (Sherlock, Thiery, Roberts & Rosenthal 2015).
constexpr Eigen::Index kFewDimensions = 5;
constexpr double kBestInFew = 1.4, kBestInMany = 3.3;

class Pmmh final : public SweepEngine {
 public:
  Pmmh(const RunSetup& setup, const SweepSettings& settings, const std::string& parameters,
       std::uint64_t blocks)
      : SweepEngine(setup),
        settings_(settings),
        block_count_(blocks),
        choice_(parameters, *setup.image->program),
        stream_name_(setup.name.child(kStepStream, 0)) {
    settings_.keep_history = settings_.record_draws = true;
    settings_.early_draws = choice_.automatic();
    settings_.ordered = blocks > 1;
    given_.weigh = !planted(Mistake::PriorLeftOut);
  }

  bool advance(Sink& sink) override {
    if (!workers_ && !start(sink)) return false;
    Stream stream = stream_of(stream_name_, number_++);
    const bool warms_up = statistics_.warmup < setup_.warmup;
    bool accepted = false;
    const bool together =
        alone_share_ < 1 && (alone_share_ == 0 || stream.uniform() < 1 - alone_share_);
    if (!(together ? move_together(stream, &accepted) : move_alone(stream, &accepted)))
      return false;
    workers_->collect_if_due();
    statistics_.peak_memory = workers_->heap().peak();
    if (warms_up) {
      learn();
      return ++statistics_.warmup < setup_.warmup || finish_warmup();
    }
    ++statistics_.proposals;
    if (accepted) ++statistics_.accepted;
    EngineDraw draw;
    draw.predicts = path_.last.predicts;
    draw.result = path_.result;
    draw.sweep = kept_++;
    draw.chain = setup_.chain;
    draw.applications = path_.last.applications;
    sink.draw(draw);
    return true;
  }

 private:
  static constexpr double kWalkShare = 0.2;  // of proposals, once a normal is known

  // The log of p(parameters, observations), estimated, at the proposed parameters and blocks, and a
  // path of that sweep. False: the engine has failed.
  bool evaluate(Stream& stream, double* out) {
    Population& sweep = *sweep_;
    sweep.given().parameters = &proposed_;
    sweep.given().choice = &choice_;
    sweep.given().block_names = fresh_names_;
    if (!sweep.run(stream_name_)) return fail(*sweep.failure());
    statistics_.applications += sweep.outcome().applications;
    statistics_.particle_steps += sweep.outcome().particle_steps;
    statistics_.simulations += sweep.size();
    *out = sweep.alive() ? sweep.log_evidence() : kLogZero;
    if (sweep.alive()) choose_path(stream);
    return true;
  }

  // A first path by plain sweeps; the chain starts at its parameters.
  bool start(Sink& sink) {
    workers_.emplace(setup_, team(), setup_.max_memory);
    workers_->refuse_hidden_draws();
    sweep_.emplace(*workers_, settings_);
    workers_->add_roots([this](Evacuator& e) {
      given_.visit(e);
      proposed_.visit(e);
      path_.visit(e);
      proposed_path_.visit(e);
    });
    for (std::uint64_t tries = 0; tries < kGiveUpStarts.tries; ++tries) {
      const StreamName name = setup_.name.child(kStartStream, tries);
      sweep_->given().parameters = nullptr;
      sweep_->given().block_names.clear();
      if (!sweep_->run(name)) return fail(*sweep_->failure());
      if (tries == 0) report_sweep(*sweep_, 0, sink);
      if (!sweep_->alive()) continue;
      Stream stream = workers_->stream(name, kSelectionSlot, 0);
      choose_path(stream);
      if (auto problem =
              bad_parameters("pmmh", choice_, proposed_path_, sweep_->outcome().observed))
        return fail(*problem);
      given_.take(choice_, proposed_path_);
      line_.begin(given_);
      alone_ = line_.others();
      alone_.insert(alone_.end(), line_.clipped().begin(), line_.clipped().end());
      alone_share_ = line_.dimension() == 0     ? 1
                     : !line_.others().empty()  ? kOtherShare
                     : !line_.clipped().empty() ? kClippedShare
                                                : 0;
      const auto barriers = static_cast<std::uint32_t>(sweep_->outcome().barriers.size());
      sweep_->given().block_length =
          std::max(1u, (barriers + static_cast<std::uint32_t>(block_count_) - 1) /
                           static_cast<std::uint32_t>(block_count_));
      // No more than there are observes for: a proposal should renew something.
      block_count_ = std::max(
          1u, (barriers + sweep_->given().block_length - 1) / sweep_->given().block_length);
      blocks_.clear();
      for (std::uint64_t b = 0; b < block_count_; ++b)
        blocks_.push_back(name.child(kBlockStream, b));
      fresh_names_ = blocks_;
      proposed_ = given_;
      log_jacobian_ = line_.set(line_.coordinates(given_), &proposed_);
      if (log_jacobian_ == kLogZero || !evaluate(stream, &log_joint_)) {
        if (failure_) return false;
        continue;
      }
      if (log_joint_ == kLogZero) continue;
      if (!stand()) return false;
      walk_.emplace(Eigen::VectorXd::Ones(line_.dimension()));
      return true;
    }
    return fail_all_zero(kGiveUpStarts.message);
  }

  void choose_path(Stream& stream) {
    const Weights& w = sweep_->weights();
    sweep_->retain(draw_index(w.relative(), w.sum(), stream), proposed_path_);
  }

  // The proposed state is the chain's from now on.
  bool stand() {
    path_ = proposed_path_;
    given_.take(choice_, path_);
    blocks_ = fresh_names_;
    const std::size_t moved = line_.moved_bounds(given_);
    if (moved == given_.draws.size()) return true;
    return fail({Code::I006,
                 Severity::Error,
                 setup_.image->program->site(given_.draws[moved].site).span,
                 "pmmh: the bounds of this parameter depend on other draws",
                 "draw it between fixed bounds and scale it, or use pgibbs with :parameters",
                 {}});
  }

  void renew_block(Stream& stream) {
    fresh_names_ = blocks_;
    const std::uint64_t block = stream.below(block_count_);
    fresh_names_[block] = stream_name_.child(kBlockStream, number_);
  }

  // Takes the proposed state with this probability, or stays.
  bool accept_or_reject(double log_joint, double log_jacobian, double log_ratio, Stream& stream,
                        bool* accepted) {
    acceptance_ = log_joint == kLogZero ? 0 : std::fmin(1, math::exp(log_ratio));
    *accepted = stream.uniform() < acceptance_;
    if (!*accepted) return true;
    log_joint_ = log_joint;
    log_jacobian_ = log_jacobian;
    return stand();
  }

  // `yes`: no parameter is at a point mass of its distribution. False: the engine has failed.
  bool off_masses(const GivenParameters& parameters, bool* yes) {
    *yes = true;
    for (const std::size_t k : line_.clipped()) {
      Fit fit;
      if (!fit_at(workers_->machine(), path_.last, given_.draws[k].dist, parameters.draws[k].value,
                  &fit))
        return fail(workers_->machine().failure());
      *yes = *yes && fit.part == kUsualPart;
    }
    return true;
  }

  bool move_together(Stream& stream, bool* accepted) {
    bool possible;
    if (!off_masses(given_, &possible)) return false;
    if (!possible) return true;
    const Eigen::VectorXd q = line_.coordinates(given_);
    Eigen::VectorXd to;
    double log_ratio = 0;
    const bool walks = !normal_.known() || stream.uniform() < kWalkShare;
    if (walks) {
      to = walk_->propose(q, stream);
    } else if (stream.uniform() < kNearShare) {
      to = normal_.propose(q, kCorrelation, stream);
      log_ratio = normal_.log_density(q) - normal_.log_density(to);
    } else {
      to = normal_.propose_anew(stream);
      log_ratio = normal_.log_density_anew(q) - normal_.log_density_anew(to);
    }
    if (planted(Mistake::FreshEstimate)) {
      proposed_ = given_;
      for (StreamName& block : blocks_) block = block.child(kBlockStream, number_);
      fresh_names_ = blocks_;
      if (!evaluate(stream, &log_joint_)) return false;
    }
    renew_block(stream);
    proposed_ = given_;
    const double log_jacobian = line_.set(to, &proposed_);
    if (!off_masses(proposed_, &possible)) return false;
    double log_joint = kLogZero;
    if (possible && log_jacobian > kLogZero && !evaluate(stream, &log_joint)) return false;
    log_ratio += log_joint + log_jacobian - log_joint_ - log_jacobian_;
    if (!accept_or_reject(log_joint, log_jacobian, log_ratio, stream, accepted)) return false;
    if (walks && (statistics_.warmup < setup_.warmup || planted(Mistake::WarmupGoesOn)))
      walk_->learn(acceptance_);
    return true;
  }

  // One parameter, from its distribution.
  bool move_alone(Stream& stream, bool* accepted) {
    const std::size_t k = alone_[stream.below(alone_.size())];
    renew_block(stream);
    proposed_ = given_;
    Executor& machine = workers_->machine();
    machine.stream = stream;
    Execution at = path_.last;
    Value& value = proposed_.draws[k].value;
    const Value& distribution = given_.draws[k].dist;  // a collection may move it
    if (!draw_for(machine, at, distribution, &value)) return fail(machine.failure());
    stream = machine.stream;
    Fit forth, back{kLogZero, kUsualPart};
    if (!fit_at(machine, path_.last, distribution, value, &forth)) return fail(machine.failure());
    double log_joint = kLogZero;
    if (!evaluate(stream, &log_joint)) return false;
    // The reverse move proposes from the distribution on the proposed path.
    if (log_joint > kLogZero) {
      proposed_.take(choice_, proposed_path_);
      if (!fit_at(machine, proposed_path_.last, proposed_.draws[k].dist, given_.draws[k].value,
                  &back))
        return fail(machine.failure());
    }
    const double log_ratio = log_joint - log_joint_ + back.log_prob - forth.log_prob;
    return accept_or_reject(log_joint, line_.log_jacobian(proposed_), log_ratio, stream, accepted);
  }

  // The normal is learnt from the later half of the warm-up; a first one, for that half, from the
  // walk's.
  void learn() {
    if (line_.dimension() == 0) return;
    const std::uint64_t done = statistics_.warmup, all = setup_.warmup;
    if (done >= all / 6) normal_.add(line_.coordinates(given_));
    if (done == all / 3 || done == all / 2 || done == all * 3 / 4) normal_.learn();
    if (done == all / 3 || done == all / 2) normal_.forget();
  }

  bool finish_warmup() {
    if (line_.dimension() > 0) normal_.learn();
    return measure();
  }

  // The variance of the log-likelihood at the centre of the posterior: of sweeps with other random
  // numbers, and of the part that a proposal renews, on which the chain's acceptance depends.
  bool measure() {
    proposed_ = given_;
    if (normal_.known() && line_.set(normal_.mean(), &proposed_) == kLogZero) proposed_ = given_;
    double values[kTrials], renewed[kTrials];
    Stream unused = stream_of(setup_.name.child(kTrialStream, 0), 0);
    for (unsigned i = 0; i < kTrials; ++i) {
      for (std::uint64_t b = 0; b < block_count_; ++b)
        fresh_names_[b] = setup_.name.child(kTrialStream, i * block_count_ + b);
      if (!evaluate(unused, &values[i])) return false;
      fresh_names_[i % block_count_] =
          setup_.name.child(kTrialStream, (i + kTrials) * block_count_);
      if (!evaluate(unused, &renewed[i])) return false;
    }
    double mean = 0, squares = 0, differences = 0;
    for (const double v : values) mean += v / kTrials;
    for (unsigned i = 0; i < kTrials; ++i) {
      squares += (values[i] - mean) * (values[i] - mean) / (kTrials - 1);
      differences += (renewed[i] - values[i]) * (renewed[i] - values[i]) / (2 * kTrials);
    }
    if (!std::isfinite(squares) || !std::isfinite(differences)) return true;
    statistics_.likelihood_variance = squares;
    const double best = line_.dimension() <= kFewDimensions ? kBestInFew : kBestInMany;
    statistics_.suggested_particles = std::max<std::uint64_t>(
        2, static_cast<std::uint64_t>(std::ceil(settings_.particles * differences / best)));
    return true;
  }

  Stream stream_of(StreamName name, std::uint64_t number) const {
    return workers_->stream(name, static_cast<std::uint32_t>(number >> 32),
                            static_cast<std::uint32_t>(number));
  }

  SweepSettings settings_;
  std::uint64_t block_count_;
  ParameterChoice choice_;
  StreamName stream_name_;
  std::optional<WorkerPool> workers_;
  std::optional<Population> sweep_;
  ParameterLine line_;
  std::vector<std::size_t> alone_;  // parameters that also move alone, or only so
  double alone_share_ = 0;          // of moves
  std::optional<WalkProposal> walk_;
  LearntNormal normal_;
  // the state of the chain
  GivenParameters given_;
  std::vector<StreamName> blocks_;
  RetainedPath path_;
  double log_joint_ = 0, log_jacobian_ = 0;
  // the proposal
  GivenParameters proposed_;
  RetainedPath proposed_path_;
  std::vector<StreamName> fresh_names_;
  double acceptance_ = 0;
  std::uint64_t number_ = 0, kept_ = 0;
};

}  // namespace

EngineDef pmmh_engine() {
  return {
      "pmmh",
      "particle marginal Metropolis-Hastings: static parameters, with the likelihood of a sweep",
      {integer_option("number-of-particles", 100, 2, "particles in a sweep"),
       parameters_option(true),
       integer_option("blocks", 20, 1,
                      "parts of a sweep's random numbers, of which a proposal renews one", 65536)},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        SweepSettings settings;
        settings.particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
        return std::make_unique<Pmmh>(setup, settings, read.word("parameters"),
                                      read.integer("blocks"));
      },
      EngineDef::Gives::Draws,
      true};
}

}  // namespace chancel
