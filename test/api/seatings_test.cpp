// SPDX-License-Identifier: Apache-2.0
// Draws from a Chinese restaurant process under auto: engine partition is for seatings that decide about nothing but the
// clusters, and its chains start far apart.
#include <gtest/gtest.h>

#include "auto_run.hpp"

namespace chancel::test {
namespace {

// Seven values near 0, which share a table by the prior and the data, and what else depends on the seating.
std::string clusters(const std::string& more) {
  return "(defquery q (let [mu (mem (fn [t] (sample (normal 0 3)))) ys [0.3 -0.4 0.9 1.6 -1.2 0.1 "
         "0.2]"
         " zs (loop [n 7 crp (CRP 0.2) zs []] (if (> n 0) (let [z (sample (produce crp))]"
         "  (recur (dec n) (absorb crp z) (conj zs z))) zs)) k (count (distinct zs))]"
         " (doseq [[z y] (map vector zs ys)] (observe (normal (mu z) 1) y)) " +
         more + " (predict :x k)))";
}

const char* const kPartition = "partition: clusters of a CRP, their parameters summed out";
const char* const kAnneal = "anneal: seatings decide which draws or observes there are";

// Five tables or more have probability 1e-4 by the prior: no execution of a survey has them.
TEST(Seatings, that_decide_about_observes_or_draws) {
  EXPECT_EQ(choice(clusters("")), kPartition);
  EXPECT_EQ(choice(clusters("(when (>= k 5) (factor 14.0))")), kAnneal);
  EXPECT_EQ(choice(clusters("(if (>= k 5) (factor (sample (normal 0 1))))")), kAnneal);
  EXPECT_EQ(choice(clusters("(if (= 7 k) (factor 5.0) nil)")), kAnneal);
  EXPECT_EQ(choice(clusters("(when (= (nth zs 0) (nth zs 6)) (factor 3.0))")), kAnneal);
  EXPECT_EQ(choice(clusters("(factor (* 1.0 k))")), kPartition);
}

// Too many draws for a population. Its moves go between seatings with and without the factor: single-site steps alone
// would change four in five of these seatings too seldom, and the run would warn of it (I013).
TEST(Seatings, of_many_items_decide_about_a_factor) {
  const std::string text =
      "(defquery q (let [mu (mem (fn [t] (sample (normal 0 3))))"
      " ys (vec (concat (repeat 17 -1.5) (repeat 15 1.5)))"
      " zs (loop [n 32 crp (CRP 0.5) zs []] (if (> n 0) (let [z (sample (produce crp))]"
      "  (recur (dec n) (absorb crp z) (conj zs z))) zs)) k (count (distinct zs))]"
      " (doseq [[z y] (map vector zs ys)] (observe (normal (mu z) 1) y))"
      " (when (odd? k) (factor 1.0)) (predict :x k)))";
  EXPECT_EQ(choice(text), kPartition);
  const Drawn d = infer(text, [](InferOptions& o) {
    o.algorithm = "partition";
    o.samples = 200;
  });
  for (const Message& m : d.statistics.warnings) EXPECT_NE(m.code, "I013") << m.message;
}

// A score that five tables have alone: E[k] is 4.87, and four chains from one table stay at 1.2 with an R-hat of 1.00. A
// chain that starts apart stays at 5: that they disagree is seen.
TEST(Seatings, chains_of_partition_start_far_apart) {
  const Drawn d = infer(clusters("(factor (if (>= k 5) 14.0 0.0))"), [](InferOptions& o) {
    o.algorithm = "partition";
    o.samples = 300;
    o.chains = 4;
  });
  ASSERT_EQ(d.summary.estimates.size(), 1u);
  EXPECT_GT(d.summary.estimates[0].r_hat, 1.05);
}

// Three particles: the beginning of a path seldom changes. Sweeps that stay long with one value of z and come back to it
// once say so, as chains of single steps do.
TEST(Chains, of_sweeps_count_their_visits) {
  const Drawn d = infer(
      "(defquery q (let [z (sample (flip 0.5)) x0 (sample (normal 0 1))]"
      " (loop [i 0 x x0] (if (< i 12)"
      "  (let [y (sample (normal (if z (* 0.9 x) x) 0.5))] (observe (normal y 0.5) 0.3)"
      "   (recur (inc i) y))"
      "  (predict :x x)))))",
      [](InferOptions& o) {
        o.algorithm = "pgibbs";
        o.engine_options = read_engine_options(":number-of-particles 3");
        o.samples = 4000;
      });
  EXPECT_GE(d.statistics.longest_stay, 25u);
  EXPECT_LT(d.statistics.stay_visits, 10u);
  EXPECT_GE(d.statistics.stay_steps, 1334u);  // sweeps, with the warm-up
}

}  // namespace
}  // namespace chancel::test
