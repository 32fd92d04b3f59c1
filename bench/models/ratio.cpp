// SPDX-License-Identifier: Apache-2.0
// ratio [--json FILE] [--quick] [--tier vm|native] [--only MODEL ENGINE]: Chancel's engines on the paper's four programs
// against the hand-written samplers of bench/yardstick, in one run: the two take turns and the
// fastest turn of each counts, in CPU time of this thread, so that a busy machine disturbs both
// alike. Stresses the machine, forking, resampling and the distributions; not start-up, threads or
// output (draws are handed to a sink that looks at their predicts and drops them). The evidence of
// every SMC run is checked before its time counts.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "models/timed_engine.hpp"
#include "yardstick/branching.hpp"
#include "yardstick/dp_mixture.hpp"
#include "yardstick/hmm.hpp"
#include "yardstick/marsaglia.hpp"

namespace {

using namespace chancel;
using namespace chancel::yardstick;

using bench::Options;
using bench::TimedEngine;

double cpu_ns() { return bench::clock_ns(CLOCK_THREAD_CPUTIME_ID); }

NativeUse g_native = NativeUse::Always;

TimedEngine make_timed(const std::string& model, const std::string& engine, int particles) {
  Options options;
  if (particles) options.push_back({"number-of-particles", Value::integer(particles)});
  if (particles && engine == "smc")
    options.push_back({"resampling", Value::keyword(intern("multinomial"))});
  return TimedEngine(model, "", "", engine, options, 1, g_native);
}

struct Case {
  const char* model;
  const char* engine;
  int particles;
  int steps;   // observes per simulation, for ns per particle-step
  double bar;  // ns per simulation in PEERS, for orientation
};

int g_rounds = 7;
nlohmann::json g_results = nlohmann::json::array();
bool g_wrong = false;
// Empty: all.
std::string g_only_model, g_only_engine;

template <class Yardstick>
void measure(const Case& c, std::uint64_t draws, Yardstick&& yardstick) {
  if (!g_only_model.empty() && (g_only_model != c.model || g_only_engine != c.engine)) return;
  TimedEngine ours = make_timed(c.model, c.engine, c.particles);
  ours.turn(draws);  // warm up
  double best = INFINITY, best_yardstick = INFINITY;
  for (int round = 0; round < g_rounds; ++round) {
    best = std::min(best, ours.turn(draws).mine);
    best_yardstick = std::min(best_yardstick, yardstick(draws));
  }
  const EngineStatistics& f = ours.statistics();
  if (f.has_log_evidence) {
    const auto truth = nlohmann::json::parse(
        std::ifstream(std::string(CHANCEL_SOURCE_DIR) + "/models/" + c.model + "/truth.json"));
    const double exact = truth.at("programs").at(std::string(c.model) + ".clj").at("log_evidence");
    // A sampler that is wrong is not worth timing. pgibbs has the evidence of its first sweep only,
    // whose family tree may not tell how good that is.
    const double se = std::isnan(f.log_evidence_se) ? 0.5 : f.log_evidence_se;
    if (!(std::abs(f.log_evidence - exact) < 0.1 + 5 * se)) {
      fmt::print("WRONG {} {}: log-evidence {:.4f}, exact {:.4f}\n", c.model, c.engine,
                 f.log_evidence, exact);
      g_wrong = true;
    }
  }
  fmt::print("{:<12} {:<8} {:>9.1f} {:>9.1f} {:>9.2f} {:>8.2f} {:>8.2f}\n", c.model, c.engine, best,
             best_yardstick, best / c.steps, best_yardstick / c.steps, best / best_yardstick);
  std::fflush(stdout);
  g_results.push_back({{"model", c.model},
                       {"engine", c.engine},
                       {"particles", c.particles},
                       {"chancel_ns_per_simulation", best},
                       {"yardstick_ns_per_simulation", best_yardstick},
                       {"ratio", best / best_yardstick}});
}

template <class Particles, class Out>
auto sweeps_of(Particles& particles, std::size_t n, Out* out) {
  return [&particles, n, out](std::uint64_t draws) {
    static std::uint64_t sweep = 0;
    const std::uint64_t count = std::max<std::uint64_t>(1, draws / n);
    const double start = cpu_ns();
    for (std::uint64_t s = 0; s < count; ++s) {
      yardstick::Stream stream(StreamName{7}.child(1, sweep++), 0, 0);
      particles.sweep(stream, out);
    }
    return (cpu_ns() - start) / static_cast<double>(count * n);
  };
}

template <class Particles, class Out>
auto gibbs_sweeps_of(Particles& particles, std::size_t n, yardstick::Stream& stream, Out* out) {
  return [&particles, &stream, n, out](std::uint64_t draws) {
    const std::uint64_t count = std::max<std::uint64_t>(1, draws / n);
    const double start = cpu_ns();
    for (std::uint64_t s = 0; s < count; ++s) particles.gibbs_sweep(stream, out);
    return (cpu_ns() - start) / static_cast<double>(count * n);
  };
}

template <class Chain>
auto steps_of(Chain& chain, yardstick::Stream& stream) {
  return [&](std::uint64_t draws) {
    const double start = cpu_ns();
    for (std::uint64_t s = 0; s < draws; ++s) chain.step(stream);
    return (cpu_ns() - start) / static_cast<double>(draws);
  };
}

}  // namespace

int main(int argc, char** argv) {
  std::string json;
  std::uint64_t draws = 100000;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc) json = argv[++i];
    if (!std::strcmp(argv[i], "--tier") && i + 1 < argc)
      g_native = std::strcmp(argv[++i], "vm") ? NativeUse::Always : NativeUse::Never;
    if (!std::strcmp(argv[i], "--only") && i + 2 < argc) {
      g_only_model = argv[++i];
      g_only_engine = argv[++i];
    }
    if (!std::strcmp(argv[i], "--quick")) {
      g_rounds = 2;
      draws = 20000;
    }
  }
  fmt::print("CPU ns, best of {} turns      per simulation        per step\n", g_rounds);
  fmt::print("{:<12} {:<8} {:>9} {:>9} {:>9} {:>8} {:>8}\n", "model", "engine", "chancel",
             "by hand", "chancel", "by hand", "ratio");
  constexpr int n = 1000;
  std::vector<double> out(256);
  yardstick::Stream stream(StreamName{11}, 0, 0);

  HmmParticles hmm(n, Hmm::kPaperData);
  measure({"hmm", "smc", n, 16, 1500}, draws, sweeps_of(hmm, n, out.data()));
  HmmParticles gibbs(100, Hmm::kPaperData);
  measure({"hmm", "pgibbs", 100, 16, 0}, draws, gibbs_sweeps_of(gibbs, 100, stream, out.data()));
  HmmChain hmm_chain(Hmm::kPaperData, stream);
  measure({"hmm", "lmh", 0, 1, 2000}, draws, steps_of(hmm_chain, stream));

  DpMixtureParticles dp(n);
  measure({"dp-mixture", "smc", n, 10, 4000}, draws, sweeps_of(dp, n, out.data()));
  DpMixtureParticles dp_gibbs(100);
  measure({"dp-mixture", "pgibbs", 100, 10, 0}, draws,
          gibbs_sweeps_of(dp_gibbs, 100, stream, out.data()));
  DpMixtureChain dp_chain(stream);
  measure({"dp-mixture", "lmh", 0, 1, 4000}, draws, steps_of(dp_chain, stream));

  BranchingParticles branching(n);
  measure({"branching", "smc", n, 1, 250}, draws, sweeps_of(branching, n, out.data()));
  BranchingParticles branching_gibbs(100);
  measure({"branching", "pgibbs", 100, 1, 0}, draws,
          gibbs_sweeps_of(branching_gibbs, 100, stream, out.data()));
  BranchingChain branching_chain(stream);
  measure({"branching", "lmh", 0, 1, 500}, draws, steps_of(branching_chain, stream));

  MarsagliaParticles marsaglia(n);
  MarsagliaParticles::Moments moments{};
  measure({"marsaglia", "smc", n, 2, 400}, draws, sweeps_of(marsaglia, n, &moments));
  MarsagliaParticles marsaglia_gibbs(100);
  measure({"marsaglia", "pgibbs", 100, 2, 0}, draws,
          gibbs_sweeps_of(marsaglia_gibbs, 100, stream, &moments));
  MarsagliaChain marsaglia_chain(stream);
  measure({"marsaglia", "lmh", 0, 1, 700}, draws, steps_of(marsaglia_chain, stream));

  if (!json.empty()) std::ofstream(json) << g_results.dump(2) << "\n";
  return g_wrong ? 1 : 0;
}
