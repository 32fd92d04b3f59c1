// SPDX-License-Identifier: Apache-2.0
// Which engine auto chooses, and why.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "auto_run.hpp"

namespace chancel::test {
namespace {

const char* const kComparisons =
    "engine rmh: comparisons of continuous draws decide about observations";

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
  EXPECT_EQ(of("(observe (normal x s) 0.3) (predict :up (if (> x 0) (sample (normal 0 1)) 2.0))"),
            mixed("random structure of continuous draws"));
  // One that is seldom true, after all observes that most executions make, and one inside a function.
  EXPECT_EQ(of("(observe (normal x s) 0.3) (when (> x 3.1) (factor 8.0))"), kComparisons);
  EXPECT_EQ(of("(observe (normal x s) 0.3) (let [far (> (abs x) 3.1) more (if far 8.0 nil)]"
               " (when more (factor more)))"),
            kComparisons);
  EXPECT_EQ(of("(observe (normal x s) 0.3) (when (and (> x 3.1) (> s 9)) (factor 8.0))"),
            kComparisons);
}

// The labels of a mixture are not a sequence, however many there are and wherever their parameters are drawn.
TEST(Choice, treats_parameters_inside_mem_as_parameters) {
  const auto with = [](const std::string& means, const std::string& of, const std::string& ys) {
    return choice("(defquery q (let [means " + means + "] (doseq [y " + ys +
                  "] (let [z (sample (uniform-discrete 0 2))] (observe (normal (" + of +
                  " z) 1) y))) (predict :x (" + of + " 0))))");
  };
  const std::string expected = mixed("discrete choices beside continuous draws");
  const std::string let = "[(sample (normal 0 2)) (sample (normal 0 2))]";
  const std::string mem = "(mem (fn [z] (sample (normal 0 2))))";
  for (const char* ys : {"[-2 2 -2.5 2.5 2.1]", "(range -2 2 0.1)"})
    EXPECT_EQ(with(let, "nth means", ys), expected);
  EXPECT_EQ(with(mem, "means", "(range -2 2 0.1)"), expected);
  // Of few points one cluster may have all: a population from the prior has all of such structures.
  EXPECT_EQ(with(mem, "means", "[-2 2 -2.5 2.5 2.1]"),
            "anneal: discrete draws decide which others there are");
}

// States follow each other where distributions or scores depend on what was drawn before the last observe.
TEST(Choice, distinguishes_sequences_from_labels) {
  const auto loop = [](const std::string& before, const std::string& next,
                       const std::string& mean) {
    return choice("(defquery q (let [" + before + " m (sample (normal 0 2))]" +
                  "(loop [t 0 s 0] (if (< t 40) (let [n " + next + "] (observe (normal (* m " +
                  mean + ") 1) (mod t 3)) (recur (inc t) n)) (predict :s s)))))");
  };
  const std::string series = "pmmh: 1 continuous parameter before a long series of discrete draws";
  const std::string labels = mixed("discrete choices beside continuous draws");
  EXPECT_EQ(loop("", "(sample (discrete (if (= s 0) [0.9 0.1] [0.1 0.9])))", "n"), series);
  EXPECT_EQ(loop("", "(+ s (if (sample (flip 0.2)) 1 0))", "n"), series);
  EXPECT_EQ(loop("", "(sample (uniform-discrete 0 3))", "n"), labels);
  EXPECT_EQ(loop("", "(sample (uniform-discrete 0 3))", "(+ n s)"), series);
  EXPECT_EQ(loop("k (sample (poisson 3))", "(sample (uniform-discrete 0 (inc k)))", "n"), labels);
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

// One execution in a hundred has two means, and the posterior nearly nothing else; a chain from the prior has one.
TEST(Choice, of_draws_that_few_executions_make) {
  const auto text = [](const char* two) {
    return std::string("(defquery q (let [two ") + two +
           " m (sample (normal 0 3)) n (if two (sample (normal 0 3)) m)]"
           " (dotimes [i 4] (observe (normal m 0.5) 0.0)) (dotimes [i 4] (observe (normal n 0.5) "
           "1.9)) (predict :x m)))";
  };
  const char* const kFew = "anneal: a few executions in a thousand make other draws";
  EXPECT_EQ(choice(text("(sample (flip 0.01))")), kFew);
  EXPECT_EQ(choice(text("(< (sample (uniform-continuous 0 1)) 0.01)")), kFew);
  EXPECT_EQ(choice(text("(> 0 1)")), gradient("1 continuous draw, fixed structure"));
}

// What the query generates after its last observe is not what nuts moves.
TEST(Choice, does_not_count_generated_draws) {
  EXPECT_EQ(choice("(defquery q (let [m (sample (normal 0 1)) s (sample (gamma 2 2))]"
                   " (doseq [y [1.0 2.0 1.5]] (observe (normal m s) y))"
                   " (predict :new (vec (repeatedly 4 (fn [] (sample (normal m s))))))))"),
            gradient("2 continuous draws, fixed structure"));
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
  EXPECT_EQ(choice(clusters("(laplace 0 1)")),
            "anneal: seatings decide which draws or observes there are");
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

// One execution in a thousand runs another query: no execution of the survey or of the trial of partition does.
TEST(Choice, changes_the_engine_of_a_chain_that_meets_a_query_inside_the_query) {
  Model model = Model::compile(
      "(defquery inner [m] (let [x (sample (flip 0.3))] (observe (normal (if x m 0) 1) 2.0) x))"
      "(defquery q (let [mean (mem (fn [table] (sample (normal 0 3)))) u (sample "
      "(uniform-continuous 0 1))]"
      " (loop [ys [-2.9 -3.1 3.0 2.8 3.3 -2.7] crp (CRP 1.0) tables []]"
      "  (if (seq ys)"
      "   (let [table (sample (produce crp))"
      "         off (if (> u 0.999) (if (:result (first (doquery :lmh inner [1]))) 1 0) 0)]"
      "    (observe (normal (mean table) 1) (+ off (first ys)))"
      "    (recur (rest ys) (absorb crp table) (conj tables table)))"
      "   (predict :x (count (distinct tables)))))))");
  InferOptions o;
  o.seed = 1;
  o.threads = 1;
  o.samples = 500;
  o.chains = 2;
  Inference run = model.infer("q", o);
  std::size_t draws = 0;
  while (run.next()) ++draws;
  const RunStatistics s = run.statistics();
  EXPECT_EQ(s.engine, "partition");
  EXPECT_EQ(draws, 1000u);
  EXPECT_TRUE(std::any_of(s.warnings.begin(), s.warnings.end(), [](const Message& m) {
    return m.code == "R014" && m.message.find("goes from partition to rmh") != m.message.npos;
  }));
}

// What nuts cannot record does not fail: the chain goes to rmh, and nothing is left out.
TEST(Choice, says_nothing_of_failures_where_a_chain_goes_to_rmh) {
  Model model = Model::compile(
      "(defquery inner [m] (let [x (sample (normal m 1))] (observe (normal x 1) 1.0) x))"
      "(defquery q (let [m (sample (normal 0 1)) s (sample (gamma 2 2))]"
      " (dotimes [i 5] (observe (normal m (+ 0.1 s)) 2.0))"
      " (predict :m m)"
      " (when (> m 2.2) (predict :r (:result (first (doquery :lmh inner [m])))))))");
  InferOptions o;
  o.seed = 1;
  o.threads = 1;
  o.samples = 300;
  o.chains = 2;
  Inference run = model.infer("q", o);
  while (run.next()) {
  }
  const RunStatistics s = run.statistics();
  EXPECT_EQ(s.engine, "nuts");
  bool goes = false;
  for (const Message& m : s.warnings) {
    goes = goes || m.message.find("goes to rmh") != m.message.npos;
    EXPECT_EQ(m.message.find("leaves out"), m.message.npos) << m.message;
  }
  EXPECT_TRUE(goes);
}

}  // namespace
}  // namespace chancel::test
