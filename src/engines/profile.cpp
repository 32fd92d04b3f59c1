// SPDX-License-Identifier: Apache-2.0
// See profile.hpp.
#include "engines/profile.hpp"

#include <chrono>
#include <cmath>
#include <map>

#include "infer/resample.hpp"
#include "infer/walker.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"

namespace chancel {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t kParticles = 100;
constexpr unsigned kSweeps = 50;
constexpr std::chrono::seconds kLongest{1};
constexpr std::uint64_t kProfileStream = 0x201;

class Profiler {
 public:
  Profiler(const RunSetup& setup, std::size_t query_line,
           const std::function<std::size_t(std::uint32_t)>& line_of)
      : setup_(setup),
        query_line_(query_line),
        line_of_(line_of),
        workers_(setup_, nullptr, setup_.max_memory) {
    workers_.add_roots([this](Evacuator& e) {
      for (Execution& x : particles_) x.visit(e);
    });
  }

  std::vector<LineCost> run() {
    const auto begun = Clock::now();
    // What has been seen counts, also when memory runs out.
    static_cast<void>(within_memory([&] {
      for (unsigned sweep = 0; sweep < kSweeps && Clock::now() - begun < kLongest; ++sweep)
        if (!run_sweep(sweep)) break;
    }));
    std::vector<LineCost> out;
    const double executions = std::max(1.0, static_cast<double>(executions_));
    for (auto& [line, sum] : lines_) {
      LineCost& p = sum.profile;
      p.line = line;
      for (double* x : {&p.samples, &p.observes, &p.applications, &p.seconds}) *x /= executions;
      if (sum.barriers > 0) {
        p.weight_variance /= sum.barriers;
        p.ess_loss /= sum.barriers;
      }
      out.push_back(p);
    }
    return out;
  }

 private:
  struct Sum {
    LineCost profile;
    double barriers = 0;
  };
  Sum& line(std::uint32_t site) {
    const auto [found, is_new] = line_of_site_.try_emplace(site, 0);
    if (is_new) found->second = line_of_(site);
    return lines_[found->second];
  }

  bool run_sweep(unsigned sweep) {
    Executor& machine = workers_.machine();
    const StreamName name = setup_.name.child(kProfileStream, sweep);
    particles_.assign(kParticles, machine.start(setup_.query, &setup_.argument, 1));
    alive_.assign(kParticles, true);
    executions_ += kParticles;
    for (std::uint32_t barrier = 0;; ++barrier) {
      if (stop_requested(setup_.run)) return false;
      std::uint32_t standing = 0;
      sites_.assign(kParticles, 0);
      log_probs_.assign(kParticles, 0);
      for (std::uint32_t i = 0; i < kParticles; ++i) {
        if (!alive_[i]) continue;
        machine.stream.reset(name, i, barrier);
        if (!advance(machine, i)) return false;
        if (alive_[i]) ++standing;
      }
      if (standing == 0) return true;
      if (!weigh_and_resample(name, barrier)) return true;
      workers_.collect_if_due();
    }
  }

  // To the next observe, or the end.
  bool advance(Executor& machine, std::uint32_t i) {
    machine.wants = {true, true};
    Walker walker(machine);
    walker.begin(particles_[i]);
    std::uint64_t before = walker.at.applications;
    Clock::time_point begun = Clock::now();
    const auto count = [&](const Walker& w, LineCost& to) {
      to.seconds += std::chrono::duration<double>(Clock::now() - begun).count();
      to.applications += static_cast<double>(w.at.applications - before);
      before = w.at.applications;
    };
    const auto draw = [&](Walker& w, Value* value) {
      LineCost& p = line(w.stop.site).profile;
      count(w, p);
      p.samples += 1;
      const bool ok = w.draw(value);
      begun = Clock::now();
      return ok;
    };
    const Stop end = walker.run(draw, leave);
    particles_[i] = walker.at;
    if (end == Stop::Failed) return false;
    alive_[i] = end == Stop::Observe;
    LineCost& p = (alive_[i] ? line(walker.stop.site) : lines_[query_line_]).profile;
    count(walker, p);
    if (!alive_[i]) return true;
    p.observes += 1;
    sites_[i] = walker.stop.site;
    log_probs_[i] = walker.stop.log_prob;
    return true;
  }

  // The loss counts for the lines at which the particles stand. Ended ones keep weight one. False:
  // all died out.
  bool weigh_and_resample(StreamName name, std::uint32_t barrier) {
    double high = kLogZero;
    for (std::uint32_t i = 0; i < kParticles; ++i) high = std::max(high, log_probs_[i]);
    if (high == kLogZero) return false;
    struct Here {
      double count = 0, sum = 0, squares = 0;
    };
    std::map<std::uint32_t, Here> here;
    std::vector<double> weights(kParticles);
    double sum = 0;
    double squares = 0;
    for (std::uint32_t i = 0; i < kParticles; ++i) {
      weights[i] = math::exp(log_probs_[i] - high);
      sum += weights[i];
      squares += weights[i] * weights[i];
      if (!alive_[i] || log_probs_[i] == kLogZero) continue;
      Here& h = here[sites_[i]];
      h.count += 1;
      h.sum += log_probs_[i];
      h.squares += log_probs_[i] * log_probs_[i];
    }
    const double loss = 1 - sum * sum / squares / kParticles;
    for (const auto& [site, h] : here) {
      Sum& to = line(site);
      const double share = h.count / kParticles;
      to.barriers += share;
      to.profile.ess_loss += share * std::max(0.0, loss);
      to.profile.weight_variance +=
          share * std::max(0.0, h.squares / h.count - (h.sum / h.count) * (h.sum / h.count));
    }
    std::vector<std::uint32_t> ancestors(kParticles);
    Stream stream = workers_.stream(name, kResamplingSlot, barrier);
    resampler_.draw(Resampling::Systematic, weights, stream, ancestors);
    const std::vector<Execution> before = particles_;
    const std::vector<char> alive_before = alive_;
    for (std::uint32_t i = 0; i < kParticles; ++i) {
      particles_[i] = before[ancestors[i]];
      alive_[i] = alive_before[ancestors[i]];
    }
    return true;
  }

  RunSetup setup_;
  std::size_t query_line_;
  const std::function<std::size_t(std::uint32_t)>& line_of_;
  WorkerPool workers_;
  Resampler resampler_;
  std::vector<Execution> particles_;
  std::vector<char> alive_;
  std::vector<std::uint32_t> sites_;
  std::vector<double> log_probs_;
  std::map<std::size_t, Sum> lines_;
  std::map<std::uint32_t, std::size_t> line_of_site_;
  std::uint64_t executions_ = 0;
};

}  // namespace

std::vector<LineCost> profile_lines(const RunSetup& setup, std::size_t query_line,
                                    const std::function<std::size_t(std::uint32_t)>& line_of) {
  return Profiler(setup, query_line, line_of).run();
}

}  // namespace chancel
