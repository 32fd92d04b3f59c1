// SPDX-License-Identifier: Apache-2.0
// Engine pcascade: the particle cascade (Paige, Wood, Doucet & Teh 2014), an anytime SMC without
// barriers. The k-th particle that arrives at its n-th observe compares its weight W with the
// running mean of the weights that arrived there, itself included, which determines its children
// (Algorithm 2 of the paper):
//   R = W / mean < 1 : one child of weight `mean` with probability R, else none; R >= 1           :
//   ceil(R) children while few are about, else floor(R), each of weight W over their number;
//                      and one that keeps its weight once the observe has sent on as many as were
//                      launched.
// In expectation the children weigh what the parent did, so weighted sums over finished particles,
// divided by the number that was launched, are unbiased; more particles can be launched at any time
// and everything so far stays good.
//
// differs: the last rule (any number of children that is chosen before they are run is unbiased;
// without a limit, executions that arrive in an unlucky order multiply without end. The paper
// bundles children instead). Particles are taken from one queue in waves of fixed size, run in
// parallel, and arrive in queue order. The paper lets the scheduler decide; here the same seed
// gives the same bits on any number of threads.
#include <algorithm>
#include <cmath>
#include <deque>

#include "engines/give_up.hpp"
#include "infer/guarded_engine.hpp"
#include "infer/native_code.hpp"
#include "infer/options.hpp"
#include "infer/walker.hpp"
#include "math/elementary.hpp"

namespace chancel {

namespace {

constexpr std::size_t kWave = 256;
// A launch with this many survivors was very unlikely to die out.
constexpr std::uint64_t kSafe = 30;

struct CascadeParticle {
  Execution at;
  double log_weight = 0;
  std::uint32_t observes = 0;  // passed so far
  bool fresh = false;          // at the prefix
};

// What arrived at the n-th observe so far.
struct Gate {
  std::uint64_t arrivals = 0;
  std::uint64_t children = 0;
  double log_mean = kLogZero;
  std::uint32_t site = 0;  // of the first arrival
};

class Pcascade final : public GuardedEngine {
 public:
  Pcascade(const RunSetup& setup, std::uint32_t particles, unsigned threads)
      : GuardedEngine(setup),
        particles_(particles),
        launches_((setup.wanted_draws + particles - 1) / particles) {
    setup_.threads = std::min(setup_.threads, threads);
  }

  bool advance(Sink& sink) override {
    if (!workers_) {
      workers_.emplace(setup_, team(), setup_.max_memory);
      workers_->add_roots([this](Evacuator& e) {
        prefix_.visit(e);
        native_code_.visit(e);
        for (CascadeParticle& p : queue_) p.at.visit(e);
      });
      if (!prefix_.run(workers_->machine(), setup_)) return fail(workers_->machine().failure());
      wave_.resize(kWave);
      stops_.resize(kWave);
      rows_.resize(kWave);
      results_.resize(kWave, Value::nil());
      scores_.resize(kWave);
      alive_weights_.resize(kWave, 0);
    }
    if (!launch(sink)) return false;
    for (std::uint64_t more = 0; evidence_wants_more() && more < kMostMore; ++more)
      if (!launch(sink)) return false;
    if (!found_ && dead_ >= kGiveUpSweeps.tries)
      return fail_all_zero("every execution contradicts the observations");
    return true;
  }

 private:
  static constexpr std::size_t kLeastSlice = 32;
  static constexpr std::uint64_t kMostMore =
      1000;  // for the sake of the evidence (RunEvidence::wants_more)

  bool evidence_wants_more() const {
    const std::uint64_t wanted = setup_.wanted_draws;
    return launches_.wants_more() ||
           (wanted > 0 && draws_ >= wanted && alive_ * particles_ < wanted);
  }

  bool launch(Sink& sink) {
    double launch_log_sum = kLogZero;
    given_ = 0;
    if (setup_.independent_sweeps) {
      gates_.clear();
      launched_ = 0;
    }
    if (prefix_.kind != Stop::Impossible)
      for (std::uint32_t i = 0; i < particles_; ++i) {
        constexpr std::uint32_t kOften = 1 << 16;
        if (i % kOften == 0)
          if (auto stop = stop_requested(setup_.run)) return fail(std::move(*stop));
        queue_.push_back({prefix_.at, prefix_.log_weight, 0, true});
      }
    launched_ += particles_;
    while (!queue_.empty()) {
      if (!run_wave()) return false;
      for (std::size_t i = 0; i < wave_size_; ++i)
        arrive(wave_[i], stops_[i], &launch_log_sum, sink);
      workers_->collect_if_due();
      if (auto stop = stop_requested(setup_.run)) return fail(std::move(*stop));
    }
    if (gates_.empty() && prefix_.observes == 0) warn_no_observe(sink);
    ++number_;
    // Launches that live are counted, not draws: how many come of one depends on what it weighs.
    if (given_ > 0) ++alive_;
    draws_ += given_;
    launches_.add(launch_log_sum - math::log(static_cast<double>(particles_)), given_ > 0 ? 1 : 0,
                  statistics_.zero_weight > 0 && given_ < kSafe);
    statistics_.simulations += particles_;
    statistics_.has_log_evidence = true;
    statistics_.log_evidence = launches_.values().log_mean();
    statistics_.log_evidence_se = launches_.values().log_mean_se();
    statistics_.evidence_parts = launches_.values();
    statistics_.peak_memory = workers_->heap().peak();
    found_ = found_ || launch_log_sum != kLogZero;
    if (!found_) ++dead_;
    return true;
  }

  struct Arrival {
    Stop kind;
    double log_prob;
    std::uint32_t site;
    Value value;
  };

  bool run_wave() {
    wave_size_ = std::min(kWave, queue_.size());
    for (std::size_t i = 0; i < wave_size_; ++i) {
      wave_[i] = queue_.front();
      queue_.pop_front();
    }
    const StreamName name = setup_.name.child(kSweepStream, waves_ >> 32);
    const auto step = static_cast<std::uint32_t>(waves_++);
    for (unsigned m = 0; m < workers_->slices(wave_size_, kLeastSlice); ++m)
      workers_->worker(m).applications = 0;
    native_ = native_code_.look(prefix_, setup_, workers_->machine());
    workers_->for_slices(
        wave_size_, kLeastSlice, [&](Worker& worker, std::size_t from, std::size_t to) {
          worker.machine->wants = {false, true};
          worker.failed_at = from;  // if memory runs out
          const auto full = within_memory([&] {
            if (native_)
              advance_natively(worker, name, step, from, to);
            else
              for (std::size_t i = from; i < to && advance(worker, name, step, i); ++i) {
              }
          });
          if (full) worker.failure = full;
        });
    statistics_.particle_steps += wave_size_;
    for (unsigned m = 0; m < workers_->slices(wave_size_, kLeastSlice); ++m)
      statistics_.applications += workers_->worker(m).applications;
    if (auto failure = workers_->take_failure()) return fail(std::move(*failure));
    decisions_ = workers_->stream(name, kResamplingSlot, step);
    return true;
  }

  // Particle i of the wave goes to its next observe. False: it failed.
  bool advance(Worker& worker, StreamName name, std::uint32_t step, std::size_t i) {
    Executor& machine = *worker.machine;
    CascadeParticle& p = wave_[i];
    worker.failed_at = i;
    machine.stream.reset(name, static_cast<std::uint32_t>(i), step);
    Walker walker(machine);
    if (p.fresh)
      walker.begin(prefix_);
    else
      walker.begin(p.at);
    const Stop end = walker.collecting().run(from_prior, leave);
    worker.applications += walker.at.applications - p.at.applications;
    p.at = walker.at;
    p.fresh = false;
    stops_[i] = {end, walker.stop.log_prob, walker.stop.site, walker.stop.value};
    if (end == Stop::Failed) worker.failure = machine.failure();
    return end != Stop::Failed;
  }

  void advance_natively(Worker& worker, StreamName name, std::uint32_t step, std::size_t from,
                        std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      rows_[i] = wave_[i].fresh ? native_->first() : wave_[i].at;
    NativeTurn turn{
        rows_.data(), nullptr, rows_.data(), results_.data(), scores_.data(), alive_weights_.data(),
        from,         to,      false,        false,           name,           step};
    for (std::size_t i = from; i < to;) {
      turn.begin = i;
      const NativeProgress done = native_->run(*worker.machine, turn);
      for (; i < done.next; ++i) {
        CascadeParticle& p = wave_[i];
        worker.applications += rows_[i].applications - p.at.applications;
        p.at = rows_[i];
        p.fresh = false;
        if (p.at.ended())
          stops_[i] = {Stop::Result, 0, 0, results_[i]};
        else
          stops_[i] = {Stop::Observe, scores_[i], native_->site_of(p.at), Value::nil()};
      }
      for (; i < done.stays && i < to; ++i) {
        if (!advance(worker, name, step, i)) return;
        native_->adopt(*worker.machine, wave_[i].at, i > from ? &wave_[i - 1].at : nullptr);
      }
    }
  }

  void arrive(CascadeParticle& p, const Arrival& stop, double* launch_log_sum, Sink& sink) {
    if (stop.kind == Stop::Result) {
      if (p.observes < gates_.size()) warn_unaligned(gates_[p.observes].site, sink);
      *launch_log_sum = log_add(*launch_log_sum, p.log_weight);
      EngineDraw draw;
      draw.predicts = p.at.predicts;
      draw.result = stop.value;
      draw.log_weight = p.log_weight;
      draw.sweep = number_;
      draw.chain = setup_.chain;
      draw.applications = p.at.applications;
      sink.draw(draw);
      ++given_;
      return;
    }
    if (p.observes >= gates_.size()) gates_.resize(p.observes + 1);
    Gate& gate = gates_[p.observes++];
    if (gate.arrivals == 0)
      gate.site = stop.site;
    else if (gate.site != stop.site)
      warn_unaligned(stop.site, sink);
    const double w = p.log_weight += stop.log_prob;
    ++gate.arrivals;
    const auto k = static_cast<double>(gate.arrivals);
    gate.log_mean = log_add(gate.log_mean + math::log((k - 1) / k), w - math::log(k));
    if (w == kLogZero) {
      ++statistics_.zero_weight;
      return;
    }
    const double log_r = w - gate.log_mean;
    std::uint64_t children;
    if (log_r < 0) {
      children = decisions_.uniform() < math::exp(log_r) ? 1 : 0;
      p.log_weight = gate.log_mean;
    } else {
      // Rounding up while the observe has had no more children than arrivals keeps their number
      // near that of the launched.
      const double r = math::exp(log_r);
      const double wanted = gate.children > gate.arrivals - 1 ? std::floor(r) : std::ceil(r);
      const std::uint64_t room = launched_ > gate.children ? launched_ - gate.children : 1;
      children = static_cast<std::uint64_t>(std::min(wanted, static_cast<double>(room)));
      p.log_weight = w - math::log(static_cast<double>(children));
    }
    gate.children += children;
    if (children > 0) ++statistics_.resamplings;
    for (std::uint64_t c = 0; c < children; ++c) queue_.push_back(p);
  }

  std::uint32_t particles_;
  std::optional<WorkerPool> workers_;
  Prefix prefix_;
  std::deque<CascadeParticle> queue_;
  std::vector<CascadeParticle> wave_;
  std::vector<Arrival> stops_;
  std::size_t wave_size_ = 0;
  NativeCode native_code_;
  NativeTier* native_ = nullptr;  // null: not now
  // of the wave, for native code
  std::vector<Execution> rows_;
  std::vector<Value> results_;
  std::vector<double> scores_;
  std::vector<double> alive_weights_;  // dead particles are not in the queue
  std::uint64_t waves_ = 0;
  Stream decisions_;
  std::vector<Gate> gates_;
  std::uint64_t launched_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t dead_ = 0;   // launches of which nothing came
  bool found_ = false;       // of one something did
  std::uint64_t given_ = 0;  // draws of this launch
  std::uint64_t draws_ = 0;  // of all
  std::uint64_t alive_ = 0;  // launches of which draws came
  RunEvidence launches_;
};

}  // namespace

EngineDef pcascade_engine() {
  return {
      "pcascade",
      "particle cascade: anytime SMC without barriers",
      {integer_option("number-of-particles", 100, 1, "particles launched at a time"),
       integer_option("number-of-threads", 4096, 1,
                      "most threads to use; the draws do not depend on it", kMostInteger, "all"),
       delayed_option(), hoist_option()},
      [](const RunSetup& setup, const EngineOptions& read) -> std::unique_ptr<Engine> {
        const auto particles = static_cast<std::uint32_t>(read.integer("number-of-particles"));
        const auto threads = static_cast<unsigned>(read.integer("number-of-threads"));
        return std::make_unique<Pcascade>(setup, particles, threads);
      },
      EngineDef::Gives::Sweeps};
}

}  // namespace chancel
