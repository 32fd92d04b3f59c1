// SPDX-License-Identifier: Apache-2.0
// Draws and probabilities from `conditional` against the exact inner posterior, in a case that
// shows start-up bias: the inner query's likely branch explains the observation 250 times worse
// than the rare one. Picking one of 1000 weighted draws is off by 0.03 there, one draw or two by
// much more; both are planted and must be seen. One line a check, then "N passed, M failed".
//
// 40 runs; |t| below 8.7413 is 1e-10 a check (checker.hpp), 14 checks. A standard error above 0.006
// fails as well.
#include <fmt/format.h>
#include <chancel/chancel.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "checker.hpp"

namespace {

using measure::kRuns;
using measure::kStudent;

constexpr const char* kProgram = R"(
(defquery rare []
  (let [a (sample (flip 0.004))]
    (observe (flip (if a 0.996 0.004)) true)
    a))
(defquery drawn [& options] (predict :x (sample ((apply conditional rare options)))))
(defquery observed [& options]
  (let [b (sample (flip 0.3))]
    (observe (if b ((apply conditional rare options)) (flip 0.2)) true)
    (predict :x b))))";
constexpr double kDrawn = 0.5;             // 0.004 * 0.996 both ways
constexpr double kObserved = 0.15 / 0.29;  // 0.3 * 0.5 against 0.7 * 0.2
constexpr int kDraws = 700;                // in a run
constexpr double kCap = 0.006;

// --unjudged: short runs, of which only failures count, for sanitizers.
bool judged = true;
int passed = 0, failed = 0;

struct Seen {
  double mean, error;
};
Seen over_runs(const std::vector<double>& means) {
  double mean = 0, square = 0;
  for (double m : means) mean += m / kRuns;
  for (double m : means) square += (m - mean) * (m - mean);
  return {mean, std::sqrt(square / (kRuns - 1) / kRuns)};
}

void report(const std::string& what, const Seen& s, double exact, bool should_pass) {
  const double t = std::fabs(s.mean - exact) / s.error;
  const bool fine = !judged || (s.error < kCap && (should_pass ? t < kStudent : t > kStudent));
  fmt::print("{} {}: {:.4f} +- {:.4f}, exact {:.4f}, t = {:.1f}\n", fine ? "ok  " : "FAIL", what,
             s.mean, s.error, exact, t);
  std::fflush(stdout);
  ++(fine ? passed : failed);
}

void check(chancel::Model& model, const std::string& query, const std::string& inner,
           const std::string& outer, int draws, double exact) {
  std::vector<double> means;
  for (int run = 0; run < kRuns; ++run) {
    chancel::InferOptions options;
    options.algorithm = outer;
    options.samples = static_cast<std::uint64_t>(judged ? draws : draws / 50);
    options.burn = outer == "lmh" ? 50 : 0;
    options.threads = 1;
    options.seed = 31 + static_cast<std::uint64_t>(run);
    options.value = "[" + inner + "]";
    chancel::Inference inference = model.infer(query, options);
    double sum = 0, weight = 0;
    while (const chancel::Draw* draw = inference.next()) {
      const double w = std::exp(draw->log_weight);
      weight += w;
      if (draw->find(":x")->number() == 1) sum += w;
    }
    means.push_back(sum / weight);
  }
  report(fmt::format("{} by {}, inner {}", query, outer, inner), over_runs(means), exact, true);
}

// One of `count` weighted draws of the inner query, by weight.
void planted(int count, const std::string& what) {
  std::vector<double> means;
  for (int run = 0; run < kRuns; ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run) + 5);
    std::uniform_real_distribution<double> uniform;
    std::binomial_distribution<int> rare(count, 0.004);
    int hits = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double good = 0.996 * rare(random);
      const double bad = 0.004 * (count - good / 0.996);
      hits += uniform(random) * (good + bad) < good;
    }
    means.push_back(static_cast<double>(hits) / kDraws);
  }
  report(what + " is caught", over_runs(means), kDrawn, false);
}

}  // namespace

int main(int count, char** words) {
  judged = !(count > 1 && std::string(words[1]) == "--unjudged");
  try {
    chancel::Model model = chancel::Model::compile(kProgram, {});
    for (const char* inner :
         {":importance", ":smc :number-of-particles 20", ":pcascade :number-of-particles 10",
          ":lmh", ":enumerate", ":rejection"}) {
      check(model, "drawn", inner, "importance", kDraws, kDrawn);
      check(model, "observed", inner, "importance", kDraws / 2, kObserved);
    }
    planted(1000, "picking one of 1000 by weight");
    planted(2, "choosing between two draws");
  } catch (const std::exception& e) {
    fmt::print("FAIL the test itself: {}\n", e.what());
    ++failed;
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? 1 : 0;
}
