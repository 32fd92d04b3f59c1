// SPDX-License-Identifier: Apache-2.0
// The engine auto: chains that an engine refuses, and when it has enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "auto_run.hpp"

namespace chancel::test {
namespace {

// In one execution of fifty a draw is a function, which no recording takes; all executions make the same draws. Truth:
// likelihood weighting of 200 000 executions.
const char* const kSeldomRefused =
    "(defquery q (let [m (sample (normal 0 1)) k (sample (poisson 0.02))\n"
    "  c (sample (categorical [[(if (> k 0) (fn [x] (+ x m)) 1) 0.5] [(if (> k 0) (fn [x] (- x m)) "
    "2) 0.5]]))\n"
    "  f (if (> k 0) c (fn [x] x))] (observe (normal (f m) 0.5) 1.0) (predict :x m)))";

TEST(Refused, ends_a_run_of_nuts_and_not_one_of_auto) {
  const auto run = [](const char* engine, const char* options, unsigned threads) {
    return infer(kSeldomRefused, [&](InferOptions& o) {
      o.algorithm = engine;
      o.engine_options = read_engine_options(options);
      o.threads = threads;
      o.samples = 3000;
      o.chains = 2;
    });
  };
  EXPECT_THROW(run("nuts", "", 1), Error);
  for (const char* engine : {"auto", "nuts"}) {
    const bool named = engine == std::string("nuts");
    const Drawn d = run(engine, named ? ":refused :rmh" : "", 1);
    ASSERT_EQ(d.xs.size(), 6000u);
    EXPECT_EQ(d.statistics.engine, "nuts");
    EXPECT_FALSE(d.statistics.warnings.empty());
    for (const Message& w : d.statistics.warnings) {
      EXPECT_EQ(w.code, "R014") << w.message;
      EXPECT_EQ(w.line, 2u);
    }
    EXPECT_NEAR(d.summary.estimates[0].mean, 0.7935, 5 * d.summary.estimates[0].mcse);
    EXPECT_EQ(run(engine, named ? ":refused :rmh" : "", 2).xs, d.xs);
  }
}

// The last draw is predictive in most executions; in some, a remembered function is called for the first time after it,
// and observes. Truth: the joint density of x and z summed over a grid.
TEST(Refused, nuts_leaves_no_draw_out_that_an_observe_may_follow) {
  const Drawn d = infer(
      "(defquery q (let [f (mem (fn [k] (observe (normal k 1) 2.5) (sample (normal k 1))))"
      " x (f 1) z (sample (normal x 1)) y (if (> z 3) (f 3) x)] (predict :x z)))",
      [](InferOptions& o) {
        o.algorithm = "nuts";
        o.ess = 400;
      });
  double mean = 0, total = 0;
  for (double x = -8; x < 12; x += 0.01)
    for (double z = -8; z < 14; z += 0.01) {
      const double p = std::exp(-0.5 * ((x - 1) * (x - 1) + (z - x) * (z - x))) *
                       (z > 3 ? std::exp(-0.125) / std::sqrt(2 * M_PI) : 1);
      mean += p * z;
      total += p;
    }
  EXPECT_NEAR(d.summary.estimates[0].mean, mean / total, 5 * d.summary.estimates[0].mcse);
}

// Draws that no observe follows are outside the density: these have values that it cannot hold.
TEST(Refused, nuts_draws_again_what_no_observe_can_follow) {
  const auto run = [](const std::string& before, const std::string& after) {
    return infer(
               "(defn follow [ys] (reduce (fn [s y] (observe (normal s 1) y) (+ s y)) 0 ys))"
               "(defquery q (let [m (sample (normal 0 1)) s " +
                   before + " h " + after + "] (predict :x (h (+ m s)))))",
               [](InferOptions& o) {
                 o.algorithm = "nuts";
                 o.samples = 5;
                 o.warmup = 5;
               })
        .xs.size();
  };
  const std::string drawn = "(sample (categorical [[(fn [x] x) 0.5] [(fn [x] (- x)) 0.5]]))";
  for (const char* observes :
       {"(do (observe (normal m 1) 1) 0)", "(follow [1 m])",
        "(reduce (fn [a y] (observe (normal m 1) y) a) 0 [1 2])",
        "(loop [i 0] (if (< i 3) (do (observe (normal m 1) i) (recur (inc i))) i))",
        "(let [f (fn [y] (observe (normal m 1) y) 1)] (f 2))"})
    EXPECT_EQ(run(observes, drawn), 5u) << observes;
  EXPECT_EQ(run("(follow [m])", "(if (> m 0) inc (first (repeatedly 2 (fn [] " + drawn + "))))"),
            5u);
  // An observe may follow: by a call of a function that was remembered, or given back.
  for (const char* later : {"(mem (fn [x] (observe (normal x 1) 1) x))",
                            "(let [f (fn [x] (observe (normal x 1) 1) x)] [f])"}) {
    const std::string use = std::string("(let [g ") + later + " h " + drawn +
                            "] (fn [x] (if (> x 2.5) ((if (vector? g) (first g) g) x) (h x))))";
    EXPECT_THROW(run("(do (observe (normal m 1) 1) 0)", use), Error) << later;
  }
}

// nuts conditions on the absence of failures.
TEST(Refused, says_how_many_executions_fail_and_where) {
  const auto run = [](const char* p) {
    return infer(
        std::string("(defquery q (let [mu (sample (gamma 2 0.5)) r (sample (gamma 2 1))]\n") +
            " (doseq [y [0 1 0 2 1]] (observe (negative-binomial r " + p + ") y))\n" +
            " (predict :x mu)))",
        [](InferOptions& o) { o.samples = 200; });
  };
  const Drawn d = run("mu");
  EXPECT_EQ(d.statistics.engine, "nuts");
  ASSERT_EQ(d.statistics.warnings.size(), 1u);
  const Message& w = d.statistics.warnings[0];
  EXPECT_EQ(w.code, "D001");
  EXPECT_EQ(w.line, 2u);
  // P(mu > 1) = 1.5 exp(-0.5) = 0.91; the share of 1000 executions has a standard deviation of 0.9 %.
  const std::size_t share = w.message.find(" as ");
  ASSERT_NE(share, std::string::npos) << w.message;
  EXPECT_NEAR(std::stod(w.message.substr(share + 4)), 91, 5);
  EXPECT_NE(w.message.find("% of the executions from the prior do: negative-binomial"),
            std::string::npos)
      << w.message;
  EXPECT_TRUE(run("(/ r (+ r mu))").statistics.warnings.empty());
}

// One point in a hundred.
TEST(Start, is_found_where_few_points_have_a_density) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const Drawn run = infer(
        "(defquery q (let [m (sample (uniform-continuous 0 100))]"
        " (observe (uniform-continuous (- m 0.5) (+ m 0.5)) 42) (predict :x m)))",
        [&](InferOptions& o) {
          o.algorithm = "nuts";
          o.seed = seed;
          o.samples = 2;
          o.warmup = 2;
        });
    ASSERT_EQ(run.xs.size(), 2u);
    EXPECT_NEAR(run.xs[0], 42, 0.5);
  }
}

TEST(Stopping, waits_for_effective_draws) {
  const Drawn run = infer(kLine);
  EXPECT_EQ(run.statistics.stopped, "every label has ESS >= 400 and R_hat < 1.01");
  EXPECT_EQ(run.summary.chains, 4u);
  for (const Estimate& row : run.summary.estimates) {
    EXPECT_GE(row.ess_bulk, 400);
    EXPECT_GE(row.ess_tail, 400);
    EXPECT_LT(row.r_hat, 1.01);
  }
  EXPECT_TRUE(advise(run.summary, run.statistics).empty());
  const Drawn more = infer(kLine, [](InferOptions& o) { o.ess = 2000; });
  EXPECT_GT(more.xs.size(), run.xs.size());
  EXPECT_GE(more.summary.estimates[0].ess_bulk, 2000);
}

TEST(Stopping, looks_at_draws_and_not_at_threads) {
  const Drawn one = infer(kLine);
  const Drawn four = infer(kLine, [](InferOptions& o) { o.threads = 4; });
  EXPECT_EQ(one.xs, four.xs);
  EXPECT_EQ(one.chains, four.chains);
  EXPECT_EQ(one.statistics.proposals, four.statistics.proposals);
}

TEST(Stopping, says_when_time_was_short) {
  // Two modes that no chain leaves.
  const Drawn run = infer(
      "(defquery q (let [x (sample (normal 0 10))] (observe (normal (* x x) 0.01) 25)"
      " (predict :x x)))",
      [](InferOptions& o) { o.limits.timeout = 0.3; });
  EXPECT_EQ(run.statistics.stopped.rfind("the time limit of 0.3 s: :x has ESS ", 0), 0u)
      << run.statistics.stopped;
  EXPECT_FALSE(run.statistics.interrupted);
  EXPECT_FALSE(advise(run.summary, run.statistics).empty());
}

TEST(Stopping, a_number_of_draws_overrules) {
  const Drawn run = infer(kLine, [](InferOptions& o) { o.samples = 70; });
  EXPECT_EQ(run.xs.size(), 70u);
  EXPECT_EQ(run.summary.chains, 1u);
  EXPECT_EQ(run.statistics.stopped, "");
}

TEST(Stopping, engines_that_are_named_may_have_it) {
  const Drawn run = infer(kLine, [](InferOptions& o) {
    o.algorithm = "lmh";
    o.ess = 200;
    o.chains = 2;
  });
  EXPECT_EQ(run.summary.chains, 2u);
  EXPECT_EQ(run.statistics.stopped, "every label has ESS >= 200 and R_hat < 1.01");
}

TEST(Stopping, of_an_enumeration_is_exact) {
  const Drawn run = infer("(defquery q (let [s (sample (flip 0.25))] (predict :x (if s 1 0))))");
  EXPECT_EQ(run.xs.size(), 2u);
  EXPECT_EQ(run.statistics.stopped, "every execution has been run: the answer is exact");
  EXPECT_TRUE(run.summary.enumerated);
}

}  // namespace
}  // namespace chancel::test
