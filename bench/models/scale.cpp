// SPDX-License-Identifier: Apache-2.0
// scale [--json FILE] [--part smc|million|pgibbs|lmh|threads] [--quick] [--shape T N ROUNDS]: how time and memory
// grow on the paper's HMM, made longer. With --shape: smc with T observations and N particles, nothing else.
//   smc      ns per particle and observation, beside the filter by hand, and peak bytes over
//            T + N log2 N (Jacob, Murray & Rubenthaler 2015: the nodes of N paths of length T), for
//            1000 x 1000, 100 x 100 000 and 20 x 1 000 000 observations x particles
//   million  the same for 1000 x 1000 and 1000 x 1 000 000, which takes some minutes: only when it is asked for.
//            The first of two turns of the latter is a warm-up: memory is touched for the first time. Then two
//            threads against one
//   pgibbs   peak memory after 100, 1000 and 10 000 sweeps
//   lmh      ns a step for 16, 100, 1000 and 10 000 observations
//   threads  two threads against one: 10 000 and a million particles of smc, 8 chains of lmh. Wall time means
//            something on an idle machine only; the bound beside it is the CPU time of one thread
//            over that of the busiest of two, which a busy machine leaves alone.
// Stresses the machine, the heap and its collections; not start-up or output. The evidence is
// checked against the forward recursion before a time counts. CPU time, best of a few turns.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "models/timed_engine.hpp"
#include "yardstick/hmm.hpp"

namespace {

using namespace chancel;
using bench::clock_ns;
using bench::Options;
using bench::TimedEngine;
using bench::Turn;
using yardstick::Hmm;

// The paper's data over and over.
double observation(std::size_t t) { return Hmm::kPaperData[t % Hmm::kPaperData.size()]; }

double exact_log_evidence(std::size_t length) {
  std::array<double, 3> p = {1. / 3, 1. / 3, 1. / 3};
  double log_evidence = 0;
  for (std::size_t t = 0; t < length; ++t) {
    std::array<double, 3> next{};
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) next[j] += p[i] * Hmm::kTransition[i][j];
      sum += next[j] *= std::exp(Hmm::log_likelihood(static_cast<std::uint8_t>(j), observation(t)));
    }
    for (int j = 0; j < 3; ++j) p[j] = next[j] / sum;
    log_evidence += std::log(sum);
  }
  return log_evidence;
}

TimedEngine long_hmm(std::size_t length, const std::string& engine, const Options& options,
                     unsigned threads = 1) {
  std::string data = "\n(def long-value [[";
  for (std::size_t t = 0; t < length; ++t) data += fmt::format("{} ", observation(t));
  data += "] (nth hmm-value 1) (nth hmm-value 2) (nth hmm-value 3)])\n";
  return TimedEngine("hmm", data, "long-value", engine, options, threads);
}

double resident_mb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

constexpr double kMega = 1 << 20;
nlohmann::json g_results = nlohmann::json::array();
bool g_wrong = false;
bool g_quick = false;

// The filter by hand on the same data: what the machine itself takes when particles leave its
// caches.
double by_hand_ns(std::size_t length, std::size_t particles, std::uint64_t rounds) {
  std::vector<double> data(length);
  for (std::size_t t = 0; t < length; ++t) data[t] = observation(t);
  yardstick::HmmParticles filter(particles, data);
  double best = INFINITY;
  for (std::uint64_t round = 0; round < (g_quick ? 1 : rounds); ++round) {
    yardstick::Stream stream(StreamName{7}.child(1, round), 0, 0);
    const double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    filter.sweep(stream, nullptr);
    best = std::min(best, clock_ns(CLOCK_THREAD_CPUTIME_ID) - start);
  }
  return best / static_cast<double>(length * particles);
}

void smc(std::size_t length, std::size_t particles, std::uint64_t rounds = 3) {
  TimedEngine hmm =
      long_hmm(length, "smc",
               {{"number-of-particles", Value::integer(static_cast<std::int64_t>(particles))},
                {"resampling", Value::keyword(intern("multinomial"))}});
  double best = INFINITY;
  for (std::uint64_t round = 0; round < (g_quick ? 1 : rounds); ++round)
    best = std::min(best, hmm.turn(particles).cpu);
  const double by_hand = by_hand_ns(length, particles, rounds);
  const double exact = exact_log_evidence(length);
  const auto t = static_cast<double>(length), n = static_cast<double>(particles);
  // The variance of log Z-hat is about T / N here.
  if (!(std::fabs(hmm.statistics().log_evidence - exact) < 6 * std::sqrt(t / n) + 0.01)) {
    fmt::print("WRONG log-evidence {:.4f}, exact {:.4f}\n", hmm.statistics().log_evidence, exact);
    g_wrong = true;
  }
  const auto peak = static_cast<double>(hmm.statistics().peak_memory);
  const double nodes = t + n * std::log2(n);
  fmt::print(
      "smc     {:>5} x {:>8}  {:>7.2f} s  {:>6.1f} ns a particle and observe, {:.1f} by hand  heap "
      "{:>7.1f} MB, {:>5.1f} bytes of T + N log N, resident {:.0f} MB\n",
      length, particles, best * n / 1e9, best / t, by_hand, peak / kMega, peak / nodes,
      resident_mb());
  std::fflush(stdout);
  g_results.push_back({{"part", "smc"},
                       {"observes", length},
                       {"particles", particles},
                       {"cpu_seconds", best * n / 1e9},
                       {"ns_per_particle_observe", best / t},
                       {"ns_by_hand", by_hand},
                       {"heap_bytes", peak},
                       {"bytes_per_node_bound", peak / nodes},
                       {"resident_mb", resident_mb()}});
}

void pgibbs() {
  TimedEngine hmm = long_hmm(16, "pgibbs", {{"number-of-particles", Value::integer(100)}});
  std::uint64_t done = 0;
  for (std::uint64_t sweeps : {100, 1000, 10000}) {
    const double ns = hmm.turn((sweeps - done) * 100).cpu;
    done = sweeps;
    fmt::print(
        "pgibbs  {:>6} sweeps of 100  {:>6.0f} ns a simulation  heap {:.1f} MB, resident {:.0f} "
        "MB\n",
        sweeps, ns, static_cast<double>(hmm.statistics().peak_memory) / kMega, resident_mb());
    std::fflush(stdout);
    g_results.push_back({{"part", "pgibbs"},
                         {"sweeps", sweeps},
                         {"ns_per_simulation", ns},
                         {"heap_bytes", hmm.statistics().peak_memory},
                         {"resident_mb", resident_mb()}});
  }
}

void lmh(std::size_t length, std::uint64_t steps) {
  TimedEngine hmm = long_hmm(length, "lmh", {});
  hmm.turn(steps / 4);
  double best = INFINITY;
  for (int round = 0; round < 5; ++round) best = std::min(best, hmm.turn(steps).cpu);
  fmt::print("lmh     {:>5} observes  {:>8.0f} ns a step, {:.0f} an observe\n", length, best,
             best / static_cast<double>(length));
  std::fflush(stdout);
  g_results.push_back({{"part", "lmh"}, {"observes", length}, {"ns_per_step", best}});
}

void two_threads(const std::string& what, const std::string& engine, const Options& options,
                 std::uint64_t draws, std::size_t length = 16, int rounds = g_quick ? 3 : 9) {
  TimedEngine one = long_hmm(length, engine, options, 1),
              two = long_hmm(length, engine, options, 2);
  one.turn(draws);
  two.turn(draws);
  double cpu1 = INFINITY, wall1 = INFINITY, cpu2 = INFINITY, wall2 = INFINITY, busiest = INFINITY;
  for (int round = 0; round < rounds; ++round) {
    const Turn alone = one.turn(draws);
    cpu1 = std::min(cpu1, alone.cpu);
    wall1 = std::min(wall1, alone.wall);
    const Turn both = two.turn(draws);
    cpu2 = std::min(cpu2, both.cpu);
    wall2 = std::min(wall2, both.wall);
    busiest = std::min(busiest, std::max(both.mine, both.cpu - both.mine));
  }
  fmt::print("threads {:<28} wall {:.2f}x  bound {:.2f}x  (CPU {:.0f} ns on one, {:.0f} on two)\n",
             what, wall1 / wall2, cpu1 / busiest, cpu1, cpu2);
  std::fflush(stdout);
  g_results.push_back({{"part", "threads"},
                       {"what", what},
                       {"wall_speedup", wall1 / wall2},
                       {"bound", cpu1 / busiest},
                       {"cpu_ns_one", cpu1},
                       {"cpu_ns_two", cpu2}});
}

// What the machine itself allows: two runs that share nothing, side by side, against one.
void two_runs(std::int64_t particles, std::uint64_t draws) {
  const Options options = {{"number-of-particles", Value::integer(particles)}};
  TimedEngine a = long_hmm(16, "smc", options), b = long_hmm(16, "smc", options);
  a.turn(draws);
  b.turn(draws);
  double wall1 = INFINITY, wall2 = INFINITY, cpu1 = INFINITY, cpu2 = INFINITY;
  for (int round = 0; round < (g_quick ? 3 : 9); ++round) {
    const Turn alone = a.turn(draws);
    cpu1 = std::min(cpu1, alone.cpu);
    wall1 = std::min(wall1, alone.wall);
    const double start = clock_ns(CLOCK_MONOTONIC), start_cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    std::thread other([&] { b.turn(draws); });
    a.turn(draws);
    other.join();
    const auto n = static_cast<double>(2 * draws);
    wall2 = std::min(wall2, (clock_ns(CLOCK_MONOTONIC) - start) / n);
    cpu2 = std::min(cpu2, (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start_cpu) / n);
  }
  fmt::print("threads {:<28} wall {:.2f}x  bound {:.2f}x  (CPU {:.0f} ns on one, {:.0f} on two)\n",
             "control: two separate runs", wall1 / wall2, 2 * cpu1 / cpu2, cpu1, cpu2);
  g_results.push_back({{"part", "threads"},
                       {"what", "control: two separate runs"},
                       {"wall_speedup", wall1 / wall2},
                       {"bound", 2 * cpu1 / cpu2},
                       {"cpu_ns_one", cpu1},
                       {"cpu_ns_two", cpu2}});
}

}  // namespace

int main(int argc, char** argv) {
  std::string json, part;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--json") && i + 1 < argc) json = argv[++i];
    if (!std::strcmp(argv[i], "--part") && i + 1 < argc) part = argv[++i];
    if (!std::strcmp(argv[i], "--quick")) g_quick = true;
    if (!std::strcmp(argv[i], "--shape") && i + 3 < argc) {
      smc(std::stoul(argv[i + 1]), std::stoul(argv[i + 2]), std::stoul(argv[i + 3]));
      return g_wrong ? 1 : 0;
    }
  }
  const auto wanted = [&part](const char* name) { return part.empty() || part == name; };
  if (wanted("lmh"))
    for (std::size_t length : {16, 100, 1000, 10000}) lmh(length, g_quick ? 20000 : 200000);
  if (wanted("pgibbs")) pgibbs();
  if (wanted("threads")) {
    two_threads("smc, 10 000 particles", "smc", {{"number-of-particles", Value::integer(10000)}},
                100000);
    two_threads("smc, 1 000 000 particles", "smc",
                {{"number-of-particles", Value::integer(1000000)}}, 1000000);
    two_runs(10000, 100000);
    two_threads("lmh, 8 chains", "plmh", {{"number-of-threads", Value::integer(8)}}, 100000);
  }
  if (wanted("smc")) {
    smc(1000, 1000);
    smc(100, 100000);
    smc(20, 1000000);
  }
  if (part == "million") {
    smc(1000, 1000);
    smc(1000, 1000000, 2);
    two_threads("smc, 1000 x 1 000 000", "smc", {{"number-of-particles", Value::integer(1000000)}},
                1000000, 1000, 1);
  }
  if (!json.empty()) std::ofstream(json) << g_results.dump(1) << "\n";
  return g_wrong ? 1 : 0;
}
