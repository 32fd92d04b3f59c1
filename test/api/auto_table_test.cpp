// SPDX-License-Identifier: Apache-2.0
// What auto chooses for a table of programs (test/api/auto_table, and models/state-space/sir.clj): the engine that the
// table names, whatever the seed, and draws in every chain under default options. Finite programs are run to their end:
// the answer has to be exact. Costs 22 to 45 s of CPU; CHANCEL_AUTO_TABLE=all (nightly) asks for twenty seeds of
// every program, of which this takes the programs that are cheap to choose for, and two seeds of the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

enum class Kind { Posterior, Prior, Finite };
struct Row {
  Kind kind;
  const char* file;
  const char* engine;
  std::uint64_t executions = 0;  // of finite programs: all there are
};

const std::vector<Row> kTable = {
    {Kind::Posterior, "continuous-change-point", "rmh"},
    {Kind::Posterior, "continuous-clipped", "nuts"},
    {Kind::Posterior, "continuous-heart", "rmh"},
    {Kind::Posterior, "continuous-line", "nuts"},
    {Kind::Posterior, "continuous-schools", "nuts"},
    {Kind::Posterior, "crp-clusters", "partition"},
    {Kind::Posterior, "crp-concentration", "anneal"},
    {Kind::Posterior, "crp-factor", "enumerate"},
    {Kind::Posterior, "crp-occupied", "anneal"},
    {Kind::Posterior, "crp-spreads", "anneal"},
    {Kind::Posterior, "discrete-atoms", "lmh"},
    {Kind::Posterior, "discrete-capture", "lmh"},
    {Kind::Posterior, "discrete-counts", "lmh"},
    {Kind::Posterior, "discrete-defects", "lmh"},
    {Kind::Posterior, "discrete-hmm", "pgibbs"},
    {Kind::Posterior, "mixed-mem-observe", "rmh"},
    {Kind::Posterior, "mixed-mixture-mem", "anneal"},
    {Kind::Posterior, "mixed-mixture", "nuts"},
    {Kind::Posterior, "mixed-outliers", "nuts"},
    {Kind::Posterior, "mixed-zeros", "nuts"},
    {Kind::Posterior, "series-counts", "nuts"},
    {Kind::Posterior, "series-regimes", "pmmh"},
    {Kind::Posterior, "series-volatility", "nuts"},
    {Kind::Posterior, "series-walk", "nuts"},
    {Kind::Posterior, "structure-degree", "anneal"},
    {Kind::Posterior, "structure-expression", "lmh"},
    {Kind::Posterior, "structure-geometric", "anneal"},
    {Kind::Posterior, "structure-model-choice", "anneal"},
    {Kind::Posterior, "structure-rejection", "rmh"},
    {Kind::Posterior, "models/state-space/sir", "pmmh"},
    {Kind::Prior, "prior-comparison", "importance"},
    {Kind::Prior, "prior-crp", "importance"},
    {Kind::Prior, "prior-dice", "importance"},
    {Kind::Prior, "prior-mem", "importance"},
    {Kind::Prior, "prior-mixed", "importance"},
    {Kind::Prior, "prior-normal", "importance"},
    {Kind::Prior, "prior-random-numbers", "importance"},
    {Kind::Prior, "prior-recursion", "importance"},
    {Kind::Prior, "prior-simplex", "importance"},
    {Kind::Prior, "prior-walk", "importance"},
    {Kind::Finite, "finite-binomials", "enumerate", 26896},
    {Kind::Finite, "finite-dice", "enumerate", 46656},
    {Kind::Finite, "finite-flips", "enumerate", 16384},
    {Kind::Finite, "finite-hidden", "enumerate", 19683},
    {Kind::Finite, "finite-ising", "enumerate", 65536},
    {Kind::Finite, "finite-network", "enumerate", 16384},
    {Kind::Finite, "finite-puzzle", "enumerate", 16807},
    {Kind::Finite, "finite-shuffle", "enumerate", 15625},
    {Kind::Finite, "finite-three", "enumerate", 27000},
    {Kind::Finite, "finite-votes", "enumerate", 65536},
};

constexpr std::uint64_t kSeeds = 20;
constexpr std::uint64_t kDraws = 20;  // of each chain
constexpr double kPatience = 1200;    // seconds: other work on the machine must not end a run
constexpr double kMostSeconds = 20;   // of CPU: what --timeout 20 allows

bool all_seeds() {
  const char* const wanted = std::getenv("CHANCEL_AUTO_TABLE");
  return wanted && std::string(wanted) == "all";
}

std::string text_of(const std::string& path) {
  std::ifstream in(std::string(CHANCEL_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(in.good()) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

class AutoTable : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override {
    const std::string file = GetParam().file;
    const bool own = file.find('/') == std::string::npos;
    model_.emplace(
        Model::compile(text_of(own ? "test/api/auto_table/" + file + ".clj" : file + ".clj")));
    if (!own) options_.data = {"sir.json", text_of("models/state-space/data/sir.json")};
    options_.threads = 1;
    options_.limits.timeout = kPatience;
  }
  Inference start(std::uint64_t seed) {
    options_.seed = seed;
    return model_->infer(model_->default_query(), options_);
  }

  std::optional<Model> model_;
  InferOptions options_;
};

TEST_P(AutoTable, chooses_the_engine_whatever_the_seed) {
  const Row& row = GetParam();
  // A trial of an enumeration takes longer than a survey.
  const std::uint64_t seeds = row.kind == Kind::Finite && !all_seeds() ? 2 : kSeeds;
  std::string choice;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const RunStatistics s = start(seed).statistics();
    EXPECT_EQ(s.engine, row.engine) << s.choice;
    if (choice.empty()) choice = s.choice;
    EXPECT_EQ(s.choice, choice) << "seed " << seed;
  }
}

TEST_P(AutoTable, gives_draws) {
  const Row& row = GetParam();
  const double begun = cpu_seconds();
  Inference run = start(1);
  const bool listed = run.statistics().family == "list";
  std::vector<std::uint64_t> draws(listed ? 1 : 4, 0);
  std::uint64_t chains_done = 0, all = 0;
  while (listed || chains_done < draws.size()) {
    const Draw* d = run.next();
    if (!d) break;
    ++all;
    ASSERT_LT(d->chain, draws.size());
    if (++draws[d->chain] == kDraws) ++chains_done;
  }
  if (row.kind == Kind::Finite) {
    EXPECT_EQ(run.statistics().left_out, 0.0);
    EXPECT_EQ(run.statistics().simulations, row.executions);
    EXPECT_GE(row.executions, 10000u);
    EXPECT_LE(row.executions, 100000u);
    EXPECT_GT(all, 0u);
  } else if (listed) {
    EXPECT_EQ(run.statistics().left_out, 0.0);
  } else {
    EXPECT_EQ(chains_done, draws.size()) << run.statistics().stopped;
    // On a busy machine native code comes late, and interpreted sweeps take more: at night only.
    EXPECT_LT(all_seeds() ? cpu_seconds() - begun : 0, kMostSeconds);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, AutoTable, testing::ValuesIn(kTable), [](const auto& info) {
  std::string name = info.param.file;
  for (char& c : name)
    if (c == '-' || c == '/') c = '_';
  return name;
});

// Unbounded recursion over finite draws: what is left out is negligible, and said.
TEST(AutoFinite, stops_an_unbounded_recursion_when_the_rest_is_negligible) {
  Model model = Model::compile(
      "(defquery q (let [n (loop [n 0] (if (sample (flip 0.3)) n (recur (inc n))))]"
      " (observe (normal n 2) 6.5) (predict :n n)))");
  Inference run = model.infer("q", {});
  double sum = 0, weights = 0;
  while (const Draw* d = run.next()) {
    const double w = std::exp(d->log_weight);
    sum += w * (*d)["n"].number();
    weights += w;
  }
  double mean = 0, total = 0;
  for (int n = 0; n < 2000; ++n) {
    const double p = 0.3 * std::pow(0.7, n) * std::exp(-0.125 * (n - 6.5) * (n - 6.5));
    mean += p * n;
    total += p;
  }
  EXPECT_EQ(run.statistics().engine, "enumerate");
  EXPECT_NEAR(sum / weights, mean / total, 1e-7);
  EXPECT_GT(*run.statistics().left_out, 0);
  EXPECT_LT(*run.statistics().left_out, 1e-9);
}

// The prior leaves out less than 1e-9 long before the data do.
TEST(AutoFinite, continues_where_the_data_favour_what_the_prior_does_not) {
  Model model = Model::compile(
      "(defquery q (let [n (loop [n 0] (if (sample (flip 0.5)) n (recur (inc n))))]"
      " (observe (normal n 1) 50) (predict :n n)))");
  Inference run = model.infer("q", {});
  double sum = 0, weights = 0, top = -INFINITY;
  std::vector<std::pair<double, double>> draws;
  while (const Draw* d = run.next()) {
    draws.emplace_back(d->log_weight, (*d)["n"].number());
    top = std::max(top, d->log_weight);
  }
  for (const auto& [w, n] : draws) {
    sum += std::exp(w - top) * n;
    weights += std::exp(w - top);
  }
  EXPECT_EQ(run.statistics().engine, "enumerate");
  EXPECT_NEAR(sum / weights, 50 - std::log(2.0), 1e-3);
}

TEST(AutoFinite, leaves_what_is_too_large_to_other_engines) {
  Model model = Model::compile(
      "(defquery q (let [xs (repeatedly 40 (fn [] (sample (flip 0.3))))]"
      " (observe (normal (count (filter true? xs)) 1) 20) (predict :x (first xs))))");
  EXPECT_NE(model.infer("q", {}).statistics().engine, "enumerate");
}

// A named enumeration has no end but its own.
TEST(AutoFinite, runs_everything_when_it_is_named) {
  Model model = Model::compile(text_of("test/api/auto_table/finite-three.clj"));
  InferOptions options;
  options.algorithm = "enumerate";
  Inference run = model.infer(model.default_query(), options);
  while (run.next()) {
  }
  EXPECT_EQ(run.statistics().left_out, 0.0);
  EXPECT_EQ(run.statistics().simulations, 27000u);
}

}  // namespace
