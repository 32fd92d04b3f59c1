// SPDX-License-Identifier: Apache-2.0
// yardstick [--check] [--particles N] [--seed S]: checks every hand-written sampler against
// models/*/truth.json, then times it. The answer is checked first: a time counts only for a sampler
// that is right. Prints nanoseconds per simulation (one particle's whole execution, or one MCMC
// step) and per particle-step. The seed is fixed unless given. Tolerances: over 40 other seeds the
// largest error was 0.56 of its tolerance, so a false alarm in a run with a fresh seed is rare,
// though not bounded.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "yardstick/branching.hpp"
#include "yardstick/dp_mixture.hpp"
#include "yardstick/hmm.hpp"
#include "yardstick/marsaglia.hpp"

namespace {

using namespace chancel;
using namespace chancel::yardstick;

StreamName seed{20140422};

constexpr std::size_t kCheckParticles = 1000;

struct Run {
  bool check_only = false;
  std::size_t particles = 1000;
  int wrong = 0;
  double largest_error = 0;  // as a share of its tolerance
};

nlohmann::json truth_of(const std::string& model) {
  std::ifstream in(std::string(CHANCEL_SOURCE_DIR) + "/models/" + model + "/truth.json");
  return nlohmann::json::parse(in).at("programs").at(model + ".clj");
}

void expect_near(Run& run, const std::string& what, double got, double exact, double tolerance) {
  const double error = std::abs(got - exact) / tolerance;
  run.largest_error = std::max(run.largest_error, error);
  if (error <= 1) return;
  fmt::print("WRONG {}: {:.6f}, exact {:.6f}, tolerance {:g}\n", what, got, exact, tolerance);
  ++run.wrong;
}

// Evidence-weighted averages over independent sweeps: weights relative to a reference log-evidence.
struct SweepAverage {
  double reference;
  double sum = 0;
  int sweeps = 0;
  double weight(double log_evidence) {
    const double w = std::exp(log_evidence - reference);
    sum += w;
    ++sweeps;
    return w;
  }
  double log_evidence() const { return reference + std::log(sum / sweeps); }
};

template <class Body>
double nanoseconds(Body body) {
  double best = INFINITY;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    body(repeat);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

void report(const char* model, const char* sampler, double ns_per_simulation, int steps) {
  fmt::print("{:<12} {:<8} {:>9.1f} ns/simulation {:>8.2f} ns/particle-step\n", model, sampler,
             ns_per_simulation, ns_per_simulation / steps);
}

// Evidence and marginals over independent sweeps, weighted by their Z-hat, against the truth.
template <class Particles>
void check_sweeps(Run& run, const std::string& model, Particles& particles, int sweeps,
                  const std::vector<double>& exact, double log_evidence, double tolerance) {
  SweepAverage average{log_evidence};
  std::vector<double> sums(exact.size()), one(exact.size());
  for (int s = 0; s < sweeps; ++s) {
    yardstick::Stream stream(seed.child(1, static_cast<std::uint64_t>(s)), 0, 0);
    std::fill(one.begin(), one.end(), 0.0);
    const double w = average.weight(particles.sweep(stream, one.data()));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += w * one[i];
  }
  expect_near(run, model + " smc log-evidence", average.log_evidence(), log_evidence, tolerance);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    expect_near(run, fmt::format("{} smc marginal {}", model, i), sums[i] / average.sum, exact[i],
                tolerance);
  }
}

template <class Particles>
void time_sweeps(const Run& run, const char* model, Particles& particles, std::size_t width,
                 int observes) {
  if (run.check_only) return;
  std::vector<double> sink(width);
  const int sweeps = static_cast<int>(std::max<std::size_t>(1, 200000 / run.particles));
  const double ns = nanoseconds([&](int repeat) {
    for (int s = 0; s < sweeps; ++s) {
      yardstick::Stream stream(seed.child(2, static_cast<std::uint64_t>(s)), 0,
                               static_cast<std::uint32_t>(repeat));
      particles.sweep(stream, sink.data());
    }
  });
  report(model, "smc", ns / (static_cast<double>(sweeps) * static_cast<double>(run.particles)),
         observes);
}

template <class Chain>
void time_chain(const Run& run, const char* model, Chain& chain, yardstick::Stream& stream) {
  if (run.check_only) return;
  constexpr int kSteps = 1000000;
  const double ns = nanoseconds([&](int) {
    for (int s = 0; s < kSteps; ++s) chain.step(stream);
  });
  report(model, "lmh", ns / kSteps, 1);
}

void hmm(Run& run) {
  const auto truth = truth_of("hmm");
  std::vector<double> exact;
  for (const auto& row : truth.at("predicts").at(":states").at("probabilities")) {
    for (const double p : row) exact.push_back(p);
  }
  HmmParticles checked(kCheckParticles, Hmm::kPaperData), timed(run.particles, Hmm::kPaperData);
  check_sweeps(run, "hmm", checked, 2000, exact, truth.at("log_evidence"), 0.015);
  time_sweeps(run, "hmm", timed, exact.size(), 16);

  HmmParticles gibbs(100, Hmm::kPaperData);
  yardstick::Stream stream(seed.child(3, 0), 0, 0);
  std::vector<double> sums(exact.size());
  constexpr int kSweeps = 10000;
  for (int s = 0; s < kSweeps; ++s) gibbs.gibbs_sweep(stream, sums.data());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    expect_near(run, fmt::format("hmm pgibbs marginal {}", i), sums[i] / kSweeps, exact[i], 0.015);
  }
  if (!run.check_only) {
    const double ns = nanoseconds([&](int) {
      for (int s = 0; s < 2000; ++s) gibbs.gibbs_sweep(stream, sums.data());
    });
    report("hmm", "pgibbs", ns / 2000 / 100, 16);
  }

  HmmChain chain(Hmm::kPaperData, stream);
  std::vector<double> counts(exact.size());
  constexpr int kSteps = 4000000;
  for (int s = 0; s < kSteps; ++s) {
    chain.step(stream);
    if (s % 8) continue;
    for (std::size_t t = 0; t < chain.states().size(); ++t)
      counts[t * 3 + chain.states()[t]] += 8.0 / kSteps;
  }
  for (std::size_t i = 0; i < exact.size(); ++i) {
    expect_near(run, fmt::format("hmm lmh marginal {}", i), counts[i], exact[i], 0.015);
  }
  time_chain(run, "hmm", chain, stream);
}

void dp_mixture(Run& run) {
  const auto truth = truth_of("dp-mixture");
  std::vector<double> exact(11);
  const auto& clusters = truth.at("predicts").at(":num-clusters");
  for (std::size_t k = 0; k < clusters.at("support").size(); ++k) {
    exact[clusters.at("support")[k].get<std::size_t>()] = clusters.at("probabilities")[k];
  }
  // The evidence of this program has heavy tails: many sweeps, and a wide tolerance.
  DpMixtureParticles checked(kCheckParticles), timed(run.particles);
  check_sweeps(run, "dp-mixture", checked, 1500, exact, truth.at("log_evidence"), 0.08);
  time_sweeps(run, "dp-mixture", timed, exact.size(), 10);

  yardstick::Stream stream(seed.child(4, 0), 0, 0);
  DpMixtureChain chain(stream);
  std::vector<double> counts(exact.size());
  constexpr int kSteps = 20000000;
  for (int s = 0; s < kSteps; ++s) {
    chain.step(stream);
    if (s % 20 == 0) counts[static_cast<std::size_t>(chain.tables())] += 20.0 / kSteps;
  }
  for (std::size_t k = 1; k < exact.size(); ++k) {
    expect_near(run, fmt::format("dp-mixture lmh P(K={})", k), counts[k], exact[k], 0.03);
  }
  time_chain(run, "dp-mixture", chain, stream);
}

void branching(Run& run) {
  const auto truth = truth_of("branching");
  std::vector<double> exact(Branching::kLargest + 1);
  const auto& r = truth.at("predicts").at(":r");
  for (std::size_t k = 0; k < r.at("support").size(); ++k) {
    const auto value = r.at("support")[k].get<std::size_t>();
    if (value < exact.size()) exact[value] = r.at("probabilities")[k];
  }
  BranchingParticles checked(kCheckParticles), timed(run.particles);
  check_sweeps(run, "branching", checked, 2000, exact, truth.at("log_evidence"), 0.006);
  time_sweeps(run, "branching", timed, exact.size(), 1);

  yardstick::Stream stream(seed.child(5, 0), 0, 0);
  BranchingChain chain(stream);
  std::vector<double> counts(exact.size());
  constexpr int kSteps = 4000000;
  for (int s = 0; s < kSteps; ++s) {
    chain.step(stream);
    counts[static_cast<std::size_t>(chain.r())] += 1.0 / kSteps;
  }
  for (std::size_t k = 0; k < exact.size(); ++k) {
    expect_near(run, fmt::format("branching lmh P(r={})", k), counts[k], exact[k], 0.006);
  }
  time_chain(run, "branching", chain, stream);
}

void marsaglia(Run& run) {
  const auto truth = truth_of("marsaglia");
  const double mean = truth.at("predicts").at(":mu").at("mean"),
               sd = truth.at("predicts").at(":mu").at("sd");
  const double log_evidence = truth.at("log_evidence");
  MarsagliaParticles checked(kCheckParticles), timed(run.particles);
  SweepAverage average{log_evidence};
  double first = 0, second = 0;
  for (int s = 0; s < 10000; ++s) {
    yardstick::Stream stream(seed.child(6, static_cast<std::uint64_t>(s)), 0, 0);
    MarsagliaParticles::Moments moments;
    const double w = average.weight(checked.sweep(stream, &moments));
    first += w * moments.mean;
    second += w * moments.square;
  }
  first /= average.sum;
  second /= average.sum;
  expect_near(run, "marsaglia smc log-evidence", average.log_evidence(), log_evidence, 0.02);
  expect_near(run, "marsaglia smc mean", first, mean, 0.03);
  expect_near(run, "marsaglia smc sd", std::sqrt(second - first * first), sd, 0.03);
  if (!run.check_only) {
    MarsagliaParticles::Moments moments;
    const int sweeps = static_cast<int>(std::max<std::size_t>(1, 200000 / run.particles));
    const double ns = nanoseconds([&](int repeat) {
      for (int s = 0; s < sweeps; ++s) {
        yardstick::Stream stream(seed.child(7, static_cast<std::uint64_t>(s)), 0,
                                 static_cast<std::uint32_t>(repeat));
        timed.sweep(stream, &moments);
      }
    });
    report("marsaglia", "smc",
           ns / (static_cast<double>(sweeps) * static_cast<double>(run.particles)), 2);
  }

  yardstick::Stream stream(seed.child(8, 0), 0, 0);
  MarsagliaChain chain(stream);
  double sum = 0, square = 0;
  constexpr int kSteps = 8000000;
  for (int s = 0; s < kSteps; ++s) {
    chain.step(stream);
    sum += chain.mu();
    square += chain.mu() * chain.mu();
  }
  sum /= kSteps;
  expect_near(run, "marsaglia lmh mean", sum, mean, 0.03);
  expect_near(run, "marsaglia lmh sd", std::sqrt(square / kSteps - sum * sum), sd, 0.03);
  time_chain(run, "marsaglia", chain, stream);
}

}  // namespace

int main(int argc, char** argv) {
  Run run;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--check")) {
      run.check_only = true;
    } else if (!std::strcmp(argv[i], "--particles") && i + 1 < argc && std::atol(argv[i + 1]) > 0) {
      run.particles = static_cast<std::size_t>(std::atol(argv[++i]));
    } else if (!std::strcmp(argv[i], "--seed") && i + 1 < argc) {
      seed.key = static_cast<std::uint64_t>(std::atoll(argv[++i]));
    } else {
      fmt::print(stderr, "usage: yardstick [--check] [--particles N] [--seed S]\n");
      return 64;
    }
  }
  hmm(run);
  dp_mixture(run);
  branching(run);
  marsaglia(run);
  fmt::print("{}; largest error {:.2f} of its tolerance\n",
             run.wrong ? "some samplers are wrong" : "all samplers agree with exact truth",
             run.largest_error);
  return run.wrong ? 70 : 0;
}
