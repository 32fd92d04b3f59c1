// SPDX-License-Identifier: Apache-2.0
// The engine auto: what it chooses and why, and when it has enough.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "chancel/chancel.hpp"
#include "chancel/summary.hpp"

namespace {

using namespace chancel;

struct Drawn {
  std::vector<double> xs;  // the predict :x of all draws
  std::vector<std::uint32_t> chains;
  RunStatistics statistics;
  Summary summary;
  std::string printed;
};

Drawn infer(const std::string& text, const std::function<void(InferOptions&)>& change = {}) {
  Drawn out;
  CompileOptions compile;
  compile.output = [&](std::string_view s) { out.printed += s; };
  auto model = Model::compile(text, compile);
  InferOptions o;
  o.seed = 3;
  o.threads = 1;
  if (change) change(o);
  auto run = model.infer(model.default_query(), o);
  SummaryBuilder builder;
  for (const Draw& d : run) {
    builder.add(d);
    out.chains.push_back(d.chain);
    if (d.find("x")) out.xs.push_back(d["x"].number());
  }
  out.statistics = run.statistics();
  out.summary = builder.summary(out.statistics, 1);
  return out;
}

std::string choice(const std::string& text) {
  return infer(text, [](InferOptions& o) { o.limits.timeout = 0.2; }).statistics.choice;
}

std::string gradient(const std::string& why) { return "engine nuts: " + why; }
std::string mixed(const std::string& why) { return "lmh+nuts: " + why; }

const char* const kComparisons =
    "engine rmh: comparisons of continuous draws decide about observations";

const char* const kLine =
    "(defquery q (let [a (sample (normal 0 3)) b (sample (normal 0 3))]"
    " (doseq [[x y] [[0 1.1] [1 2.9] [2 5.2] [3 7.1]]] (observe (normal (+ a (* b x)) 1) y))"
    " (predict :x b)))";

TEST(Choice, goes_by_draws_and_structure) {
  EXPECT_EQ(choice(kLine), gradient("2 continuous draws, fixed structure"));
  EXPECT_EQ(choice("(defquery q (let [s (sample (uniform-discrete 0 3)) t (sample (flip 0.5))]"
                   " (observe (normal s 1) 1.2) (predict :x s)))"),
            "enumerate: 6 outcomes");
  EXPECT_EQ(choice("(defquery q (predict :x 3))"), "enumerate: 1 outcome");
  EXPECT_EQ(choice("(defquery q (let [k (sample (poisson 5)) m (sample (normal 0 1))]"
                   " (observe (normal (* k m) 1) 1.2) (predict :x m)))"),
            mixed("discrete choices beside continuous draws"));
  EXPECT_EQ(choice("(defquery q (let [f (fn f [] (let [x (sample (normal 0 1))]"
                   " (if (< x 0.5) (f) x))) x (f)] (observe (normal x 1) 1) (predict :x x)))"),
            kComparisons);
  EXPECT_EQ(choice("(defquery q (let [l (sample (normal 0 1)) x (sample (beta 0.001 0.001))]"
                   " (observe (normal (+ l x) 1) 2) (predict :x x)))"),
            mixed("not all of the continuous draws have a gradient"));
  EXPECT_EQ(choice("(defquery q (let [k (sample (poisson 5))] (observe (normal k 1) 1.2)"
                   " (predict :x k)))"),
            "lmh: 1 discrete draw");
}

TEST(Choice, moves_parameters_of_a_long_discrete_series_by_its_likelihood) {
  EXPECT_EQ(choice("(defquery q (let [p (sample (beta 2 2))]"
                   " (reduce (fn [s y] (let [s (if (sample (flip p)) s (- 1 s))]"
                   " (observe (normal s 1) (mod y 2)) s)) 0 (range 40)) (predict :x p)))"),
            "pmmh: 1 continuous parameter before a long series of discrete draws");
  // pmmh takes no parameters whose bounds move.
  const Drawn d = infer(
      "(defquery q (let [a (sample (beta 2 2)) p (sample (uniform-continuous 0 a))]"
      " (reduce (fn [s y] (let [s (if (sample (flip p)) s (- 1 s))]"
      " (observe (normal s 1) (mod y 2)) s)) 0 (range 40)) (predict :x p)))",
      [](InferOptions& o) { o.samples = 200; });
  EXPECT_EQ(d.statistics.choice,
            "pgibbs: 2 continuous parameters before a long series of discrete draws, with bounds "
            "that depend on other draws");
  EXPECT_EQ(d.xs.size(), 200u);
}

// Steps of single-site engines change one draw; those of other chains change all of them, whatever the
// names of the engines end with.
TEST(Choice, thins_single_site_chains_only) {
  const auto until_enough = [](InferOptions& o) { o.ess = 50; };
  const Drawn whole = infer(
      "(defquery q (let [p (sample (beta 2 2))]"
      " (reduce (fn [s y] (let [s (if (sample (flip p)) s (- 1 s))]"
      " (observe (normal s 1) (mod y 2)) s)) 0 (range 40)) (predict :x p)))",
      until_enough);
  EXPECT_EQ(whole.statistics.engine, "pmmh");
  EXPECT_EQ(whole.statistics.family, "particle-chain");
  EXPECT_EQ(whole.statistics.thin, 1u);
  EXPECT_GE(whole.xs.size(), 4000u);
  const Drawn single = infer(
      "(defquery q (let [a (sample (poisson 3)) b (sample (poisson 3))]"
      " (observe (normal (+ a b) 1) 6) (predict :x a)))",
      until_enough);
  EXPECT_EQ(single.statistics.family, "single-site");
  EXPECT_EQ(single.statistics.thin, 2u);
}

// A chain starts with a draw from the prior, which is not part of the answer.
TEST(Choice, leaves_the_start_of_a_chain_out) {
  const Drawn d = infer(
      "(defquery q (let [p (if (sample (flip 0.5)) 1.0 0.5)]"
      " (dotimes [i 50] (observe (flip p) true)) (predict :x p)))",
      [](InferOptions& o) { o.ess = 400; });
  EXPECT_EQ(d.statistics.engine, "lmh");
  EXPECT_GT(d.statistics.burn, 0u);
  for (const double x : d.xs) EXPECT_EQ(x, 1);
}

// Where two continuous draws change places the density jumps, and most trajectories diverge.
TEST(Choice, never_gives_comparisons_that_decide_about_observations_to_nuts) {
  const auto of = [](const std::string& body) {
    return choice("(defquery q (let [x (sample (normal 0 1)) s (sample (gamma 2 1))] " + body +
                  " (predict :x x)))");
  };
  EXPECT_EQ(of("(condition (< (* x x) s))"), kComparisons);
  EXPECT_EQ(of("(factor (if (< x s) 0.0 -1000.0))"), kComparisons);
  EXPECT_EQ(of("(observe (normal (if (pos? x) 1 -1) s) 0.3)"), kComparisons);
  EXPECT_EQ(of("(observe (normal (floor x) s) 0.3)"), kComparisons);
  EXPECT_EQ(of("(doseq [t (range 4)] (observe (normal (if (>= t x) 1 0) s) 1))"), kComparisons);
  // Nothing jumps here: kinks, comparisons that bounds decide, comparisons after all observes.
  const std::string smooth = gradient("2 continuous draws, fixed structure");
  EXPECT_EQ(of("(observe (normal (max x 0) (+ s (abs x))) 0.3)"), smooth);
  EXPECT_EQ(of("(observe (normal x (if (> (sqrt (+ s 1)) 1) s 1)) 0.3)"), smooth);
  EXPECT_EQ(of("(observe (normal x s) 0.3) (predict :up (> x 0))"), smooth);
}

TEST(Choice, treats_parameters_inside_mem_as_parameters) {
  const auto with = [](const std::string& means, const std::string& of) {
    return choice("(defquery q (let [means " + means +
                  "] (doseq [y [-2 2 -2.5 2.5 2.1]] (let [z (sample (uniform-discrete 0 2))]"
                  " (observe (normal (" +
                  of + " z) 1) y))) (predict :x (" + of + " 0))))");
  };
  const std::string expected = mixed("discrete choices beside continuous draws");
  EXPECT_EQ(with("[(sample (normal 0 2)) (sample (normal 0 2))]", "nth means"), expected);
  EXPECT_EQ(with("(mem (fn [z] (sample (normal 0 2))))", "means"), expected);
}

TEST(Choice, gives_independent_draws_where_nothing_is_observed) {
  const Drawn d = infer(
      "(defquery q (let [x (sample (normal 0 1)) k (sample (poisson 3))] (predict :x (* k x))))");
  EXPECT_EQ(d.statistics.choice, "importance: nothing is observed, independent draws");
  EXPECT_EQ(d.statistics.stopped, "every label has ESS >= 400 and R_hat < 1.01");
  EXPECT_GE(d.xs.size(),
            1600u);  // four chains of 400; a round may end before a batch of executions does
  EXPECT_LT(d.xs.size(), 6000u);
}

// One execution in fifty has a draw that no recording takes. Truth: likelihood weighting of 200 000 executions.
const char* const kSeldomRefused =
    "(defquery q (let [m (sample (normal 0 1)) k (sample (poisson 0.02))\n"
    "  f (if (> k 0) (sample (categorical [[(fn [x] (+ x m)) 0.5] [(fn [x] (- x m)) 0.5]]))"
    " (fn [x] x))] (observe (normal (f m) 0.5) 1.0) (predict :x m)))";

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

// What nuts would refuse, or crawl on, is for engines that take it.
TEST(Choice, never_is_an_engine_that_refuses) {
  EXPECT_EQ(choice("(defquery q (let [m (sample (flat))"
                   " h (sample (categorical [[(fn [x] (+ x 1)) 0.5] [(fn [x] (* 2 x)) 0.5]]))]"
                   " (observe (normal (h m) 1) 2) (predict :x m)))"),
            "engine rmh: nuts cannot record line 1");
  EXPECT_EQ(choice("(defquery q (loop [x (sample (normal 0 1))] (observe (normal x 1) 1)"
                   " (if (< (sample (uniform-continuous 0 1)) 0.5) (recur (sample (normal 0 1)))"
                   "  (predict :x x))))"),
            kComparisons);
  EXPECT_EQ(choice("(defquery q (let [m (sample (normal 0 10))]"
                   " (observe (normal (Math/round m) 1) 3) (predict :x m)))"),
            "engine rmh: round needs the values of continuous draws");
  EXPECT_EQ(choice("(defquery q (let [m (sample (normal 0 1000))]"
                   " (observe (uniform-continuous (- m 1) (+ m 1)) 500) (predict :x m)))"),
            "anneal: few points have a positive density");
  EXPECT_NE(choice("(defquery q (let [m (sample (normal 0 1))"
                   " x (sample (mixture [0.5 0.5] [(normal m 1) (normal 0 1)]))]"
                   " (observe (normal x 1) 2) (predict :x x)))"),
            "");
  const std::string own_distribution =
      "(defdist spread [a] [] (sample* [this] (* a (sample* (uniform-continuous 0 1))))"
      " (observe* [this v] (observe* (uniform-continuous 0 a) v)))";
  for (const char* size : {"(+ 1 (* m m))", "(if (> m 0) 1 2)"})
    EXPECT_NE(
        choice(own_distribution + "(defquery q (let [m (sample (normal 0 1)) x (sample (spread " +
               size + "))] (observe (normal x 1) 2) (predict :x x)))"),
        "");
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

TEST(Choice, of_random_numbers_outside_sample) {
  EXPECT_EQ(choice("(defquery q (let [m (sample (normal 0 1))]"
                   " (observe (normal (+ (rand) m) 1) 2) (predict :x m)))"),
            "pgibbs: random numbers that are not drawn by sample");
  EXPECT_EQ(choice("(defquery q (let [k (sample (poisson 3))]"
                   " (observe (normal (+ (rand) k) 1) 2) (predict :x k)))"),
            "pgibbs: random numbers that are not drawn by sample");
  // All executions share what comes before the first draw.
  EXPECT_EQ(choice("(defquery q (let [y (rand) m (sample (normal 0 1))]"
                   " (observe (normal m 1) y) (predict :x m)))"),
            gradient("1 continuous draw, fixed structure"));
}

TEST(Choice, can_say_the_score_of_each_observe) {
  const auto engine = [](const std::string& text) {
    return infer(text,
                 [](InferOptions& o) {
                   o.pointwise = true;
                   o.samples = 5;
                 })
        .statistics.engine;
  };
  EXPECT_EQ(
      engine("(defquery q (loop [t 0 s 0] (if (< t 6)"
             " (let [n (sample (poisson (+ s 1)))] (observe (normal n 1) t) (recur (inc t) n))"
             " (predict :x s))))"),
      "lmh");
  EXPECT_EQ(engine("(defquery q (let [s (sample (flip 0.5))] (observe (flip (if s 0.2 0.3)) true)"
                   " (predict :x s)))"),
            "lmh");
  EXPECT_EQ(engine("(defquery q (let [m (sample (normal 0 1))]"
                   " (observe (normal (+ (rand) m) 1) 2) (predict :x m)))"),
            "importance");
}

TEST(Choice, of_a_state_space_of_discrete_states) {
  EXPECT_EQ(choice("(defquery q (loop [t 0 s 0] (if (< t 12)"
                   " (let [n (sample (discrete (if (= s 0) [0.8 0.2 0.1] [0.3 0.4 0.3])))]"
                   "  (observe (normal n 1) 0.4) (recur (inc t) n))"
                   " (predict :x s))))"),
            "pgibbs: draws and observes alternate");
}

TEST(Choice, of_a_sequence_whose_structure_grows) {
  const auto clusters = [](const std::string& distribution) {
    return "(defquery q (loop [t 0 crp (CRP 1.0) seen {}] (if (< t 8)"
           " (let [k (sample (produce crp)) m (or (get seen k) (sample " +
           distribution +
           "))]"
           "  (observe (normal m 1) 0.4) (recur (inc t) (absorb crp k) (assoc seen k m)))"
           " (predict :x (count seen)))))";
  };
  EXPECT_EQ(choice(clusters("(laplace 0 1)")), "pgibbs: draws and observes alternate");
  EXPECT_EQ(choice(clusters("(normal 0 1)")),
            "partition: clusters of a CRP, their parameters summed out");
}

// The survey cannot draw them, and gives the choice all the same.
TEST(Choice, of_improper_draws) {
  auto model = Model::compile(
      "(defquery q (let [m (sample (flat))] (observe (normal m 1) 2) (predict :x m)))");
  InferOptions o;
  o.samples = 1;
  EXPECT_EQ(model.infer("q", o).statistics().choice,
            gradient("1 continuous draw (improper), fixed structure"));
}

TEST(Choice, is_quiet_and_survives_failures) {
  const Drawn run = infer(
      "(defquery q (let [x (sample (normal 0 1))] (print \"*\") (observe (normal x 1) 1)"
      " (predict :x x)))",
      [](InferOptions& o) { o.samples = 5; });
  EXPECT_LE(run.printed.size(), 11u);  // executions of the engine: five draws and their warm-up
  EXPECT_THROW(infer("(defquery q (let [x (sample (normal 0 1))] (nth [1] 7) (predict :x x)))"),
               Error);
}

TEST(Choice, has_the_options_that_were_given) {
  const auto with = [](const char* options) {
    return infer(kLine,
                 [&](InferOptions& o) {
                   o.engine_options = read_engine_options(options);
                   o.samples = 10;
                 })
        .statistics;
  };
  EXPECT_EQ(with(":number-of-particles 50").choice, "pgibbs: it takes :number-of-particles");
  EXPECT_EQ(with(":number-of-particles 1").engine, "smc");
  EXPECT_THROW(with(":number-of-wonders 50"), Error);
}

TEST(Choice, is_overruled) {
  const RunStatistics s = infer(kLine, [](InferOptions& o) {
                            o.algorithm = "lmh";
                            o.samples = 10;
                          }).statistics;
  EXPECT_EQ(s.engine, "lmh");
  EXPECT_EQ(s.choice, "");
}

// Half of the prior of tau lies below the smallest double, so no gradient moves it. The truth: sums
// over a grid of tau, with mu integrated out.
TEST(Choice, finds_a_narrow_posterior_under_a_wide_gamma_prior) {
  const char* const precision =
      "(defquery q (let [mu (sample (normal 0 100)) tau (sample (gamma 0.001 0.001))]"
      " (doseq [y [2.1 2.5 2.2 2.7 2.4 2.3 2.6 2.0 2.4 2.5]]"
      "   (observe (normal mu (/ 1 (sqrt tau))) y))"
      " (predict :x tau)))";
  const Drawn d = infer(precision);
  EXPECT_EQ(d.statistics.choice, mixed("not all of the continuous draws have a gradient"));
  ASSERT_EQ(d.summary.estimates.size(), 1u);
  EXPECT_GE(d.summary.estimates[0].ess_bulk, 400);
  EXPECT_LT(d.xs.size(), 40000u);
  EXPECT_NEAR(d.summary.estimates[0].mean, 20.3205, 5 * d.summary.estimates[0].mcse);
}

// Steps that change the structure propose from the prior; x, narrow beside it, moves by gradients.
TEST(Choice, does_not_warn_of_steps_at_draws_that_move_by_gradients) {
  const Drawn d = infer(
      "(defquery q (let [x (sample (normal 0 100)) y (if (> x 3) (sample (normal 0 1)) 0)]"
      " (observe (normal (+ x y) 0.1) 3) (predict :x x)))",
      [](InferOptions& o) {
        o.algorithm = "nuts";
        o.samples = 500;
      });
  for (const SiteAcceptance& site : d.statistics.sites) EXPECT_EQ(site.proposals, 0u) << site.line;
}

// In the first trajectories of warm-up the scale of the ratios may exceed that of doubles: no reason
// for single-site steps ever after (they would be most of the simulations).
TEST(Choice, of_log_normal_effects_stays_with_gradients) {
  const Drawn d = infer(
      "(defquery q (let [s (sample (half-cauchy 2))"
      " r (vec (repeatedly 30 (fn [] (sample (log-normal 0 s)))))]"
      " (doseq [[i x] (map vector (range 30) r)] (observe (normal (* 1000 x) 20) (+ 800 (* 10 i))))"
      " (predict :x s)))",
      [](InferOptions& o) { o.samples = 500; });
  EXPECT_EQ(d.statistics.choice, gradient("31 continuous draws, fixed structure"));
  EXPECT_EQ(d.statistics.sites.size(), 0u);
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
