// SPDX-License-Identifier: Apache-2.0
// See single_site_engine.hpp.
#include "engines/single_site_engine.hpp"

#include <algorithm>
#include <cmath>

namespace chancel {

namespace {
constexpr std::size_t kLargestBatch = 256;  // steps of a chain between two meetings of the threads
constexpr std::uint64_t kFewDraws = 64;     // after them it is known whether the program observes
// Steps of which one is looked at for its structure: it costs as much as some steps do.
constexpr std::uint64_t kStructureEvery = 8;
constexpr const char* kNoFirstState =
    "no execution from the prior satisfies the observations, so there is no state to start from";
constexpr const char* kWhereToStart = "pgibbs finds a first state that is merely rare sooner";
constexpr std::uint64_t kFreeDraws = 32;  // of an execution whose density costs nearly nothing

// The statistics of the chain look at a share of its states, so that they cost nearly nothing: at their log density,
// also where it is not asked for, and at their structure. They call no function of the program.
bool is_looked_at(const Trace& trace, std::uint64_t number) {
  return mix64(number) % (1 + trace.size() / kFreeDraws) == 0 && trace.has_library_draws();
}
}  // namespace

OptionDef recording_option() {
  return word_option(
      "recording", {"auto", "always", "none"},
      "auto: a step updates what depends on the changed draw, where the execution "
      "can be recorded and that pays; always: wherever it can; none: every step runs "
      "the program. The draws are the same");
}

SingleSiteSettings settings_of(const RunSetup& setup, const EngineOptions& read) {
  SingleSiteSettings settings;
  settings.warmup = setup.warmup;
  const std::string& recording = read.word("recording");
  if (recording == "none") settings.recording = WhenToRecord::Policy::Never;
  if (recording == "always") settings.recording = WhenToRecord::Policy::Always;
  return settings;
}

SingleSiteEngine::SingleSiteEngine(const RunSetup& setup, const SingleSiteSettings& settings)
    : GuardedEngine(setup),
      workers_(setup, nullptr, setup.max_memory),
      chain_(workers_, 0, setup.name.child(kStepStream, 0), settings) {
  chain_.count_moves_in(statistics_.moves);
  workers_.treat_hidden_draws(HiddenDraws::Noted);
}

bool SingleSiteEngine::advance(Sink& sink) {
  if (!started_) {
    if (!chain_.start())
      return chain_.failure() ? fail(*chain_.failure())
                              : fail_all_zero(kNoFirstState, kWhereToStart);
    started_ = true;
  } else {
    if (!chain_.step()) return fail(*chain_.failure());
    workers_.collect_if_due();
  }
  statistics_.applications = chain_.applications();
  ++statistics_.simulations;
  statistics_.peak_memory = workers_.heap().peak();
  const bool for_structure = statistics_.simulations % kStructureEvery == 0;
  const bool looked_at =
      (for_structure || !setup_.log_joint) && is_looked_at(chain_.trace(), statistics_.simulations);
  double log_joint = NAN;
  if ((setup_.log_joint || looked_at) && !chain_.trace().log_joint(&log_joint))
    return fail(*chain_.failure());
  if (looked_at && for_structure)
    statistics_.structures.step(chain_.trace().structure(structure_), log_joint);
  if (statistics_.warmup < setup_.warmup) {
    if (++statistics_.warmup == setup_.warmup) chain_.freeze();
    return true;
  }
  EngineDraw draw;
  draw.predicts = chain_.trace().predicts();
  draw.result = chain_.trace().result();
  draw.sweep = number_++;
  draw.chain = setup_.chain;
  draw.applications = chain_.trace().applications();
  draw.log_joint = log_joint;
  if (setup_.pointwise && !chain_.trace().observes(&draw.observes)) return fail(*chain_.failure());
  sink.draw(draw);
  statistics_.proposals = chain_.proposals();
  statistics_.accepted = chain_.accepted();
  if (number_ <= kFewDraws) look_for_observes(number_, chain_.trace().observed(), sink);
  return true;
}

bool SingleSiteEngine::save_state(ByteWriter& to, const ByteNames& names) const {
  to.number(number_);
  to.byte(started_);
  return !started_ || chain_.save(to, names);
}

bool SingleSiteEngine::restore_state(ByteReader& from, const ByteNames& names) {
  number_ = from.number();
  started_ = from.byte() != 0;
  return started_ ? chain_.restore(from, names) : from.ok();
}

ParallelChainsEngine::ParallelChainsEngine(const RunSetup& setup,
                                           const SingleSiteSettings& settings, unsigned chains)
    : GuardedEngine(setup) {
  const std::size_t limit =
      setup.max_memory == ~std::size_t{0} ? setup.max_memory : setup.max_memory / chains;
  for (unsigned i = 0; i < chains; ++i)
    runners_.push_back(std::make_unique<ChainRunner>(
        setup, limit, setup.name.child(kChainStream, i).child(kStepStream, 0), settings));
  for (const auto& runner : runners_) runner->workers.treat_hidden_draws(HiddenDraws::Noted);
}

bool ParallelChainsEngine::save_state(ByteWriter& to, const ByteNames& names) const {
  to.number(batch_);
  to.number(begun_);
  return begun_ == 0 || std::all_of(runners_.begin(), runners_.end(), [&](const auto& runner) {
           return runner->chain.save(to, names);
         });
}

bool ParallelChainsEngine::restore_state(ByteReader& from, const ByteNames& names) {
  batch_ = static_cast<std::size_t>(std::min<std::uint64_t>(from.number(), kLargestBatch));
  begun_ = from.number();
  if (begun_ == 0 || !from.ok()) return from.ok();
  return std::all_of(runners_.begin(), runners_.end(),
                     [&](const auto& runner) { return runner->chain.restore(from, names); });
}

void ParallelChainsEngine::run(ChainRunner& runner, std::size_t steps) {
  runner.states.clear();
  const auto full = within_memory([&] {
    for (std::size_t s = 0; s < steps; ++s) {
      if (begun_ == 0 && s == 0) {
        runner.ok = runner.chain.start();
        runner.found_none = !runner.ok && !runner.chain.failure();
      } else {
        runner.ok = runner.chain.step();
      }
      if (!runner.ok) {
        runner.failure = runner.chain.failure();
        return;
      }
      Trace& t = runner.chain.trace();
      double log_joint = NAN;
      std::vector<ObserveScore> observes;
      if (setup_.log_joint || is_looked_at(t, begun_ + s)) runner.ok = t.log_joint(&log_joint);
      if (runner.ok && setup_.pointwise) runner.ok = t.observes(&observes);
      if (!runner.ok) {
        runner.failure = runner.chain.failure();
        return;
      }
      runner.states.push_back(
          {t.predicts(), t.result(), t.applications(), log_joint, std::move(observes)});
      runner.workers.collect_if_due();
    }
  });
  if (full) {
    runner.ok = false;
    runner.failure = full;
  }
}

bool ParallelChainsEngine::advance(Sink& sink) {
  batch_ = std::min(kLargestBatch, batch_ == 0 ? 1 : 2 * batch_);
  const bool warms_up = begun_ < setup_.warmup;
  const std::size_t steps =
      warms_up ? std::min<std::uint64_t>(batch_, setup_.warmup - begun_) : batch_;
  const auto count = static_cast<unsigned>(runners_.size());
  if (ThreadTeam* t = team())
    t->run(std::min(count, t->size()), [&](unsigned m) {
      for (unsigned i = m; i < count; i += std::min(count, t->size())) run(*runners_[i], steps);
    });
  else
    for (auto& runner : runners_) run(*runner, steps);
  statistics_.proposals = statistics_.accepted = statistics_.applications = 0;
  statistics_.peak_memory = 0;
  statistics_.moves.clear();
  for (std::size_t s = 0; s < steps; ++s)
    for (unsigned i = 0; i < count; ++i) {
      ChainRunner& runner = *runners_[i];
      if (s >= runner.states.size())
        return runner.found_none ? fail_all_zero(kNoFirstState, kWhereToStart)
                                 : fail(*runner.failure);
      if (warms_up) continue;
      EngineDraw draw;
      draw.predicts = runner.states[s].predicts;
      draw.result = runner.states[s].result;
      draw.sweep = begun_ - setup_.warmup + s;
      draw.chain = setup_.chain * count + i;
      draw.applications = runner.states[s].applications;
      draw.log_joint = runner.states[s].log_joint;
      draw.observes = std::move(runner.states[s].observes);
      sink.draw(draw);
    }
  begun_ += steps;
  if (warms_up) statistics_.warmup = begun_ * count;
  bool observed = false;
  for (const auto& runner : runners_) {
    if (warms_up && begun_ == setup_.warmup) runner->chain.freeze();
    observed = observed || runner->chain.trace().observed();
    statistics_.proposals += runner->chain.proposals();
    statistics_.accepted += runner->chain.accepted();
    add_moves(statistics_.moves, runner->chain.moves());
    statistics_.applications += runner->chain.applications();
    statistics_.peak_memory += runner->workers.heap().peak();
  }
  statistics_.simulations = begun_ * count;
  if (!warms_up) look_for_observes((begun_ - setup_.warmup) * count, observed, sink);
  return true;
}

}  // namespace chancel
