// SPDX-License-Identifier: Apache-2.0
// The gate must fail when draws are wrong. Two kinds of wrong draws go through the same checker as
// those of the engines: programs that were altered, run by right engines; and small samplers with
// the wrong rules that have shipped elsewhere (each beside the right rule, which must pass). One
// line a saboteur, then "N passed, M failed"; passed means that it was caught.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>

#include "run_cell.hpp"

namespace {

using namespace measure;

int passed = 0, failed = 0;

void expect(bool as_it_should, const std::string& what, const std::string& seen) {
  fmt::print("{} {}: {}\n", as_it_should ? "ok  " : "FAIL", what, seen);
  std::fflush(stdout);
  ++(as_it_should ? passed : failed);
}

void expect_caught(const std::string& what, const Verdict& v) {
  expect(!v.ok && !v.alarms.empty(), what + " is caught",
         fmt::format("{}, t = {:.1f}", v.worst, v.worst_t));
}

void expect_clean(const std::string& what, const Verdict& v) {
  expect(v.ok, what + " passes", fmt::format("{}, t = {:.1f}", v.worst, v.worst_t));
}

const EngineRow& engine_row(const std::string& name) {
  for (const EngineRow& row : engine_rows())
    if (name == row.name) return row;
  throw std::runtime_error("no engine " + name);
}

const ProgramRow& program_row(const std::string& name) {
  for (const ProgramRow& row : program_rows())
    if (name == row.program) return row;
  throw std::runtime_error("no program " + name);
}

// A right engine on a program that is not the one of the truth.
void altered(const std::string& program, const std::string& engine, const std::string& from,
             const std::string& to) {
  std::ifstream in(std::string(CHANCEL_MODELS) + "/" + program);
  std::stringstream text;
  text << in.rdbuf();
  std::string source = text.str();
  const std::size_t at = source.find(from);
  if (at == std::string::npos) throw std::runtime_error("no " + from + " in " + program);
  source.replace(at, from.size(), to);
  chancel::CompileOptions options;
  options.name = program;
  chancel::Model model = chancel::Model::compile(source, options);
  const CellResult r = run_cell(model, read_truth(CHANCEL_MODELS, program), engine_row(engine),
                                program_row(program), 1);
  if (!r.failure.empty()) throw std::runtime_error(r.failure);
  expect_caught(fmt::format("{} with {} for {} ({})", program, to, from, engine), r.verdict);
}

// --- particle Gibbs on two-state, with right and wrong rules
// ----------------------------------------------------------

enum class Rule { Right, RetainedLost, SystematicProtected, LastWeightsIgnored };

Verdict two_state_pgibbs(int particles, Rule rule, int sweeps) {
  const Truth truth = read_truth(CHANCEL_MODELS, "two-state/two-state.clj");
  Checker checker(truth);
  for (int run = 0; run < kRuns; ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run) + 77);
    std::uniform_real_distribution<double> uniform;
    const auto pick = [&](const std::vector<double>& w) {
      double sum = 0, u = uniform(random);
      for (double x : w) sum += x;
      std::size_t i = 0;
      for (u *= sum; i + 1 < w.size() && u >= w[i]; ++i) u -= w[i];
      return i;
    };
    const auto n = static_cast<std::size_t>(particles);
    int retained = -1;  // particle 0 of a conditional sweep
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      std::vector<int> s(n);
      std::vector<double> w(n);
      for (std::size_t i = 0; i < n; ++i) {
        s[i] = i == 0 && retained >= 0 ? retained : uniform(random) < 0.5;
        w[i] = s[i] ? 0.25 : 0.75;
      }
      const bool keep = retained >= 0 && rule != Rule::RetainedLost;
      std::vector<int> next(n);
      if (rule == Rule::SystematicProtected && keep) {
        double total = 0, reached = 0;
        for (double x : w) total += x;
        const double offset = uniform(random);
        std::size_t from = 0;
        for (std::size_t i = 1; i < n; ++i) {
          const double at =
              (static_cast<double>(i - 1) + offset) / static_cast<double>(n - 1) * total;
          while (from + 1 < n && reached + w[from] <= at) reached += w[from++];
          next[i] = s[from];
        }
      } else {
        for (std::size_t i = 0; i < n; ++i) next[i] = s[pick(w)];
      }
      if (keep) next[0] = s[0];
      for (std::size_t i = 0; i < n; ++i) w[i] = next[i] ? 0.75 : 0.25;
      double sum = 0;
      for (double x : w) sum += x;
      if (sweep >= sweeps / 5)
        for (std::size_t i = 0; i < n; ++i)
          checker.add(run, truth.log_evidence + std::log(w[i] / sum),
                      {static_cast<double>(next[i])});
      if (rule == Rule::LastWeightsIgnored) w.assign(n, 1);
      retained = next[pick(w)];
    }
  }
  return checker.verdict(kStudent);
}

// --- random-walk MH on the Gaussian chain
// ----------------------------------------------------------------------------

// The wrong one stores the density of the walk in place of the prior density of the site that
// moved.
Verdict gaussian_chain_rmh(bool right, int steps) {
  const Truth truth = read_truth(CHANCEL_MODELS, "gaussian-chain/gaussian-chain.clj");
  Checker checker(truth);
  const auto log_normal = [](double v, double mean, double sd) {
    return -0.5 * std::pow((v - mean) / sd, 2) - std::log(sd);
  };
  for (int run = 0; run < kRuns; ++run) {
    std::mt19937_64 random(static_cast<std::uint64_t>(run) + 99);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    double x = normal(random), y = x + normal(random);
    double px = log_normal(x, 0, 1), py = log_normal(y, x, 1);
    for (int step = 0; step < steps; ++step) {
      const bool move_x = uniform(random) < 0.5;
      const double nx = move_x ? x + 0.3 * normal(random) : x,
                   ny = move_x ? y : y + 0.3 * normal(random);
      double qx = log_normal(nx, 0, 1), qy = log_normal(ny, nx, 1);
      if (!right) (move_x ? qx : qy) = move_x ? log_normal(nx, x, 0.3) : log_normal(ny, y, 0.3);
      const double ratio = qx + qy + log_normal(3, ny, 1) - px - py - log_normal(3, y, 1);
      if (std::log(uniform(random)) < ratio) x = nx, y = ny, px = qx, py = qy;
      if (step >= steps / 5) checker.add(run, truth.log_evidence, {x, y});
    }
  }
  return checker.verdict(kStudent);
}

// --- evidence and weights
// --------------------------------------------------------------------------------------------

// Draws of importance on unaligned with something wrong done to them.
enum class Harm { None, Unweighted, Evidence };

Verdict harmed_importance(Harm harm) {
  const Truth truth = read_truth(CHANCEL_MODELS, "unaligned/unaligned.clj");
  chancel::Model model =
      chancel::Model::compile_file(std::string(CHANCEL_MODELS) + "/" + truth.program);
  Checker checker(truth);
  std::vector<double> values;
  for (int run = 0; run < kRuns; ++run) {
    chancel::InferOptions options;
    options.algorithm = "importance";
    options.samples = 5000;
    options.threads = 1;
    options.seed = static_cast<std::uint64_t>(run) + 1;
    chancel::Inference inference = model.infer(truth.query, options);
    while (const chancel::Draw* draw = inference.next()) {
      read_scalars(truth, *draw, values);
      checker.add(run, harm == Harm::Unweighted ? truth.log_evidence : draw->log_weight, values);
    }
    checker.add_evidence(
        run, *inference.statistics().log_evidence + (harm == Harm::Evidence ? 0.02 : 0));
  }
  return checker.verdict(kStudent);
}

}  // namespace

int main() {
  try {
    altered("two-state/two-state.clj", "smc", "(flip 0.5)", "(flip 0.53)");
    altered("two-state/two-state.clj", "pgibbs systematic", "(flip 0.5)", "(flip 0.53)");
    altered("two-state/two-state.clj", "lmh", "(flip 0.5)", "(flip 0.53)");
    // One observation of sixteen changed.
    altered("hmm/hmm.clj", "smc", "0.1 0 0.13 0.45 6 0.2", "0.1 0 0.13 0.45 0 0.2");
    altered("gaussian-chain/gaussian-chain.clj", "rmh", "(normal x 1)", "(normal x 1.1)");
    altered("random-length/random-length.clj", "almh", "(flip 0.3)", "(flip 0.38)");
    altered("conditional/conditional.clj", "importance",
            "((conditional meets :smc :number-of-particles 20) 0.6)", "(flip 0.6)");
    expect_clean("two-state, particle Gibbs as it should be, 3 particles",
                 two_state_pgibbs(3, Rule::Right, 5000));
    expect_caught("two-state, the retained execution lost, 2 particles",
                  two_state_pgibbs(2, Rule::RetainedLost, 5000));
    expect_caught("two-state, the retained execution lost, 10 particles",
                  two_state_pgibbs(10, Rule::RetainedLost, 8000));
    expect_caught("two-state, systematic resampling beside it",
                  two_state_pgibbs(3, Rule::SystematicProtected, 5000));
    expect_caught("two-state, the next one chosen without the last weights",
                  two_state_pgibbs(3, Rule::LastWeightsIgnored, 5000));
    expect_clean("gaussian-chain, random walk as it should be", gaussian_chain_rmh(true, 10000));
    expect_caught("gaussian-chain, kernel density stored as prior density",
                  gaussian_chain_rmh(false, 10000));
    expect_clean("unaligned, importance", harmed_importance(Harm::None));
    expect_caught("unaligned, weights ignored", harmed_importance(Harm::Unweighted));
    const Verdict evidence = harmed_importance(Harm::Evidence);
    expect(!evidence.ok, "evidence off by 0.02 is caught", evidence.why);
  } catch (const std::exception& e) {
    expect(false, "the test itself", e.what());
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed ? 1 : 0;
}
