// SPDX-License-Identifier: Apache-2.0
// Draw::log_joint against the log density written out by hand, for every engine that knows it, and
// what a gradient engine says of its moves.
#include <gtest/gtest.h>

#include <cmath>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

double log_normal(double x, double mean, double sd) {
  return -0.5 * (x - mean) * (x - mean) / (sd * sd) - std::log(sd) - 0.5 * std::log(2 * M_PI);
}

const char* const kContinuous =
    "(defquery q (let [s (sample (exponential 2)) x (sample (normal 1 s))]"
    " (observe (normal x 0.5) 2) (predict :s s) (predict :x x)))";
double continuous_joint(const Draw& d) {
  const double s = d["s"].number(), x = d["x"].number();
  return std::log(2) - 2 * s + log_normal(x, 1, s) + log_normal(2, x, 0.5);
}

// A draw that is there in some executions only.
const char* const kDiscrete =
    "(defquery q (let [a (sample (flip 0.25)) k (if a (sample (uniform-discrete 0 4)) 7)]"
    " (observe (normal k 2) 3) (predict :a a) (predict :k k)))";
double discrete_joint(const Draw& d) {
  const bool a = d["a"].boolean();
  return std::log(a ? 0.25 / 4 : 0.75) + log_normal(3, d["k"].number(), 2);
}

struct Furthest {
  double error = 0;
  std::size_t draws = 0, unknown = 0, moves = 0;
};

Furthest compare(const char* engine, const char* text, double (*joint)(const Draw&),
                 bool asked = true) {
  auto model = Model::compile(text);
  InferOptions o;
  o.algorithm = engine;
  o.samples = 300;
  o.warmup = std::string(engine) == "enumerate" ? 0 : 100;
  o.seed = 2;
  o.threads = 1;
  o.log_joint = asked;
  Furthest out;
  auto run = model.infer("q", o);
  for (const Draw& d : run) {
    ++out.draws;
    out.moves += d.move.has_value();
    if (std::isnan(d.log_joint))
      ++out.unknown;
    else
      out.error = std::max(out.error, std::fabs(d.log_joint - joint(d)));
  }
  return out;
}

TEST(LogJoint, is_that_of_draws_and_observes) {
  for (const char* engine : {"lmh", "rmh", "almh", "plmh", "palmh", "nuts"}) {
    const Furthest found = compare(engine, kContinuous, continuous_joint);
    EXPECT_EQ(found.draws, 300u) << engine;
    EXPECT_EQ(found.unknown, 0u) << engine;
    EXPECT_LT(found.error, 1e-9) << engine;
  }
  for (const char* engine : {"lmh", "almh", "enumerate"}) {
    const Furthest found = compare(engine, kDiscrete, discrete_joint);
    EXPECT_EQ(found.unknown, 0u) << engine;
    EXPECT_LT(found.error, 1e-9) << engine;
  }
}

TEST(LogJoint, is_not_there_unless_asked_for_and_known) {
  EXPECT_EQ(compare("lmh", kContinuous, continuous_joint, false).unknown, 300u);
  EXPECT_EQ(compare("smc", kContinuous, continuous_joint).unknown, 300u);
}

TEST(LogJoint, gradient_engines_say_how_they_moved) {
  EXPECT_EQ(compare("nuts", kContinuous, continuous_joint).moves, 300u);
  EXPECT_EQ(compare("rmh", kContinuous, continuous_joint).moves, 0u);
}

// Neal's funnel: no step suits both its neck and its mouth.
TEST(LogJoint, divergences_are_counted) {
  auto model = Model::compile(
      "(defquery q (let [v (sample (normal 0 3))"
      " xs (vec (repeatedly 9 #(sample (normal 0 (exp (/ v 2))))))]"
      " (observe (normal (reduce + xs) 1000) 0) (predict :v v)))");
  InferOptions o;
  o.algorithm = "nuts";
  o.engine_options = read_engine_options(":target-acceptance 0.4");  // long steps
  o.samples = 1000;
  o.seed = 2;
  o.threads = 1;
  auto run = model.infer("q", o);
  std::uint64_t seen = 0;
  for (const Draw& d : run) seen += d.move->divergent;
  EXPECT_GT(seen, 0u);
  EXPECT_EQ(run.statistics().divergences, seen);
}

}  // namespace
