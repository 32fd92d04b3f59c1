// SPDX-License-Identifier: Apache-2.0
// What options and rare events must not do to an answer: thinning, burn-in and the end of a run
// take a fair part of sweeps, sweeps that die out count, draws of another dimension are reached.
// Seeds are fixed; limits are six standard errors where they are known (one false alarm in 10^9
// runs with other seeds), and wide ones where a chain's are not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

struct Answer {
  double mean = 0;  // of the predict :x
  double evidence = 0;
  std::vector<std::uint64_t> of_chain;
};

Answer infer(const std::string& text, const std::string& engine, const std::string& engine_options,
             const std::function<void(InferOptions&)>& change) {
  auto model = Model::compile(text);
  InferOptions o;
  o.algorithm = engine;
  o.engine_options = read_engine_options(engine_options);
  o.seed = 11;
  o.threads = 1;
  change(o);
  Answer a;
  double weights = 0;
  auto run = model.infer(model.default_query(), o);
  for (const Draw& d : run) {
    const double w = std::exp(d.log_weight);
    weights += w;
    a.mean += w * d["x"].number();
    if (d.chain >= a.of_chain.size()) a.of_chain.resize(d.chain + 1, 0);
    ++a.of_chain[d.chain];
  }
  a.mean /= weights;
  if (const auto z = run.statistics().log_evidence) a.evidence = std::exp(*z);
  return a;
}

// P(x = 1) = 0.9; slots of a sweep are not alike.
const char* const kCoin =
    "(defquery q (let [s (sample (flip 0.5))] (observe (flip (if s 0.9 0.1)) true)"
    " (predict :x (if s 1.0 0.0))))";

TEST(Fairness, thinning_takes_every_slot) {
  struct {
    const char* engine;
    const char* options;
    std::uint64_t thin;
  } const cases[] = {{"smc", ":number-of-particles 4", 4},
                     {"smc", ":number-of-particles 10", 10},
                     {"smc", ":number-of-particles 4", 6},
                     {"pimh", ":number-of-particles 4", 4},
                     {"pgibbs", ":number-of-particles 4", 2},
                     {"pgas", ":number-of-particles 4", 2},
                     {"pcascade", ":number-of-particles 4", 4},
                     {"anneal", ":number-of-particles 4 :temperatures 1", 4},
                     {"ipmcmc", ":number-of-nodes 4 :number-of-particles 4", 4}};
  for (const auto& c : cases) {
    const Answer a = infer(kCoin, c.engine, c.options, [&](InferOptions& o) {
      o.samples = 20000;
      o.thin = c.thin;
    });
    // Draws of different sweeps are nearly independent: sqrt(0.09 / 20000), twice that for chains.
    EXPECT_NEAR(a.mean, 0.9, 6 * 2 * 0.0021) << c.engine << " thin " << c.thin;
  }
}

TEST(Fairness, burn_in_takes_whole_sweeps) {
  const Answer a = infer(kCoin, "smc", ":number-of-particles 10", [](InferOptions& o) {
    o.samples = 1;
    o.burn = 9;  // would leave the last of ten
    o.chains = 20000;
  });
  EXPECT_NEAR(a.mean, 0.9, 6 * 0.0021);
}

TEST(Fairness, parallel_chains_are_thinned_alike) {
  const Answer a = infer(kCoin, "plmh", ":number-of-threads 2", [](InferOptions& o) {
    o.samples = 2000;
    o.thin = 2;
  });
  EXPECT_EQ(a.of_chain, (std::vector<std::uint64_t>{1000, 1000}));
}

TEST(Fairness, first_sweeps_that_die_out_count_in_the_evidence) {
  const char* const rare =
      "(defquery q (let [x (sample (flip 0.1))] (observe (dirac x) true)"
      " (predict :x (if x 1.0 0.0))))";
  const Answer a = infer(rare, "pgibbs", ":number-of-particles 3", [](InferOptions& o) {
    o.samples = 660;
    o.chains = 400;
  });
  // Of a sweep: the mean of three draws of probability 0.1, with standard deviation 0.173. Each
  // chain has at least 11 plain sweeps.
  EXPECT_NEAR(a.evidence, 0.1, 6 * 0.173 / std::sqrt(400 * 11));
}

TEST(Fairness, a_run_with_draws_is_not_ended_by_dead_sweeps) {
  const char* const rare =
      "(defquery q (let [x (sample (flip 0.02))] (observe (dirac x) true)"
      " (predict :x (if x 1.0 0.0))))";
  for (const char* engine : {"smc", "pcascade"}) {
    const Answer a = infer(rare, engine, ":number-of-particles 2", [](InferOptions& o) {
      o.samples = 2000;
      o.seed = 3;
    });
    EXPECT_EQ(a.mean, 1) << engine;
    EXPECT_NEAR(a.evidence, 0.02, 6 * 0.02 / std::sqrt(1000)) << engine;
  }
}

TEST(Fairness, single_site_moves_change_the_dimension_of_a_draw) {
  const char* const program =
      "(defquery q (let [k (sample (uniform-discrete 2 4)) p (sample (dirichlet (repeat k 1.0)))]"
      " (observe (normal (first p) 0.5) 1) (predict :x k)))";
  const auto with = [&](const char* engine) {
    return infer(program, engine, "", [](InferOptions& o) { o.samples = 40000; }).mean;
  };
  const double reference = with("importance");
  for (const char* engine : {"lmh", "rmh", "almh"})
    EXPECT_NEAR(with(engine), reference, 0.03) << engine;  // sd 0.5; about 5000 effective draws
}

TEST(Fairness, engines_that_go_back_refuse_draws_outside_sample) {
  const char* const hidden =
      "(defquery q (let [y (sample (flip 0.5)) x (if (< (rand) 0.5) 0.0 1.0)]"
      " (observe (flip (if (= x 1.0) 0.9 0.1)) true) (predict :x x)))";
  for (const char* engine : {"pgas", "anneal", "enumerate"})
    EXPECT_THROW(infer(hidden, engine, "", [](InferOptions& o) { o.samples = 10; }), Error)
        << engine;
  EXPECT_THROW(infer(hidden, "pgibbs", ":rejuvenate 2", [](InferOptions& o) { o.samples = 10; }),
               Error);
  EXPECT_THROW(infer(hidden, "smc", ":move 1", [](InferOptions& o) { o.samples = 10; }), Error);
  // Single-site chains draw them afresh whenever they run that part of the program again.
  for (const char* engine : {"importance", "smc", "pimh", "pgibbs", "ipmcmc", "pcascade", "lmh",
                             "rmh", "almh", "plmh", "palmh"})
    EXPECT_NEAR(infer(hidden, engine, "", [](InferOptions& o) { o.samples = 20000; }).mean, 0.9,
                0.05)
        << engine;
}

TEST(Fairness, an_infinite_density_is_an_error_under_every_engine) {
  const char* const infinite =
      "(defquery q (let [x (sample (flip 0.5))] (factor (/ 1.0 0.0)) (predict :x 1)))";
  for (const EngineInfo& e : engines())
    EXPECT_THROW(infer(infinite, e.name, "", [](InferOptions& o) { o.samples = 10; }), Error)
        << e.name;
}

// Executions of different lengths with recorded draws, and collections between.
TEST(Fairness, recorded_draws_of_different_lengths) {
  const char* const program =
      "(defquery q (loop [t 0 s 0.0]"
      "  (let [s (loop [i 0 s s] (if (< i 100) (recur (inc i) (+ s (sample (normal 0 1)))) s))]"
      "    (observe (flip 0.5) true)"
      "    (if (or (> t 12) (and (> t 1) (sample (flip 0.3)))) (predict :x t) (recur (inc t) "
      "s)))))";
  for (const char* options : {":number-of-particles 20 :rejuvenate 1", ":number-of-particles 20"}) {
    const bool moves = std::string(options).find("rejuvenate") != std::string::npos;
    const Answer a = infer(program, moves ? "pgibbs" : "pgas", options, [](InferOptions& o) {
      o.samples = 4000;
      o.limits.max_memory = std::size_t{64} << 20;
    });
    EXPECT_NEAR(a.mean, 2.54, 0.4);
  }
}

}  // namespace
