// SPDX-License-Identifier: Apache-2.0
// The acceptance ratio of single-site moves on programs with continuous draws, to rounding:
// whatever a proposal changes (the value, the parameters of later draws, their support), its
// log-ratio is the difference of the joint log densities written out by hand; less the changed
// draw's own prior when it was proposed from there. A random walk is symmetric, so that is all
// there is. A ratio that forgets the prior of the walked draw (planted) is off by far more than
// rounding. The density of nuts and block, on the real line, is the joint density times the
// derivative of the transform. A proposal by noise has draws at the ranks of the noise in their
// distributions, by hand, and the ratio of the likelihoods.
#include <gtest/gtest.h>

#include <cmath>

#include "exact_program.hpp"
#include "gradient/recorded_density.hpp"
#include "single_site/single_site.hpp"

namespace exact {
namespace {

using namespace chancel;

using Values = std::vector<double>;
constexpr double kImpossible = -INFINITY;

double log_normal(double x, double mean, double sd) {
  return -0.5 * (x - mean) * (x - mean) / (sd * sd) - std::log(sd) - 0.5 * std::log(2 * M_PI);
}
double log_gamma(double x, double shape, double rate) {
  return x <= 0
             ? kImpossible
             : shape * std::log(rate) + (shape - 1) * std::log(x) - rate * x - std::lgamma(shape);
}
double normal_rank(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }
double log_beta_2_3(double x) {
  return x <= 0 || x >= 1 ? kImpossible : std::log(12 * x * (1 - x) * (1 - x));
}

// A program and, by hand: the log density of each draw given those before it, and the
// log-likelihood; and the log of the derivative of the draws by their coordinates on the real line.
struct Case {
  const char* name;
  const char* text;
  double (*log_draw)(const Values& v, std::size_t k);
  double (*log_likelihood)(const Values& v);
  double (*log_derivative)(const Values& v);
  double (*rank)(const Values& v, std::size_t k);  // of a draw in its distribution
};

const Case kCases[] = {
    {"gaussian_chain", R"(
(defquery q []
  (let [x (sample (normal 0 1))
        y (sample (normal x 1))]
    (observe (normal y 1) 3)
    (predict :x x))))",
     [](const Values& v, std::size_t k) { return log_normal(v[k], k == 0 ? 0 : v[0], 1); },
     [](const Values& v) { return log_normal(3, v[1], 1); }, [](const Values&) { return 0.0; },
     [](const Values& v, std::size_t k) { return normal_rank(v[k] - (k == 0 ? 0 : v[0])); }},
    // The spread of later draws and the support of the last one depend on the first.
    {"scale", R"(
(defquery q []
  (let [s (sample (gamma 2 3))
        x (sample (normal 0 s))
        u (sample (uniform-continuous 0 s))]
    (observe (normal (+ x u) 0.5) 1)
    (predict :s s))))",
     [](const Values& v, std::size_t k) {
       if (k == 0) return log_gamma(v[0], 2, 3);
       if (k == 1) return log_normal(v[1], 0, v[0]);
       return v[2] < 0 || v[2] > v[0] ? kImpossible : -std::log(v[0]);
     },
     [](const Values& v) { return log_normal(1, v[1] + v[2], 0.5); },
     [](const Values& v) { return std::log(v[0]) + std::log(v[2] * (v[0] - v[2]) / v[0]); },
     [](const Values& v, std::size_t k) {
       if (k == 0) return 1 - (1 + 3 * v[0]) * std::exp(-3 * v[0]);
       return k == 1 ? normal_rank(v[1] / v[0]) : v[2] / v[0];
     }},
    // Observes between the draws.
    {"interleaved", R"(
(defquery q []
  (let [p (sample (beta 2 3))]
    (observe (flip p) true)
    (let [r (sample (exponential (+ 1 p)))]
      (observe (normal r p) 1)
      (let [z (sample (normal (* p r) (+ 0.1 p)))]
        (observe (normal z r) 0)
        (predict :z z))))))",
     [](const Values& v, std::size_t k) {
       if (k == 0) return log_beta_2_3(v[0]);
       if (k == 1) return v[1] < 0 ? kImpossible : std::log(1 + v[0]) - (1 + v[0]) * v[1];
       return log_normal(v[2], v[0] * v[1], 0.1 + v[0]);
     },
     [](const Values& v) {
       return std::log(v[0]) + log_normal(1, v[1], v[0]) + log_normal(0, v[2], v[1]);
     },
     [](const Values& v) { return std::log(v[0] * (1 - v[0])) + std::log(v[1]); },
     [](const Values& v, std::size_t k) {
       const double p = v[0];
       if (k == 0) return p * p * (6 - 8 * p + 3 * p * p);
       return k == 1 ? 1 - std::exp(-(1 + p) * v[1]) : normal_rank((v[2] - p * v[1]) / (0.1 + p));
     }},
};

double log_joint(const Case& c, const Values& v) {
  double sum = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double log_draw = c.log_draw(v, k);
    if (log_draw == kImpossible) return kImpossible;
    sum += log_draw;
  }
  return sum + c.log_likelihood(v);
}

// The largest difference between the engine's ratio and the hand's over many moves along a chain.
double furthest(const Case& c, Mistake mistake, int* impossible) {
  Program program(c.text, Program::NoTarget{});
  const RunSetup setup = program.setup(nullptr);
  const PlantedMistake plant(mistake);
  WorkerPool workers(setup, nullptr, ~std::size_t{0});
  Trace trace(workers, 0);
  trace.machine().stream.reset(StreamName{3}, 0, 0);
  bool possible = false;
  EXPECT_TRUE(trace.draw_prior(&possible));
  EXPECT_TRUE(possible);
  Stream stream(StreamName{4}, 0, 0);
  double most = 0;
  *impossible = 0;
  for (int i = 0; i < 2000; ++i) {
    Values before;
    for (std::size_t k = 0; k < trace.size(); ++k) before.push_back(trace.choice(k).value.d);
    const std::size_t k = stream.below(trace.size());
    Values after = before;
    after[k] += 0.7 * stream.normal();
    const bool from_prior = stream.below(2) == 0 && c.log_draw(after, k) != kImpossible;
    Trace::Proposal proposal;
    EXPECT_TRUE(trace.propose(k, Value::real(after[k]), from_prior, &proposal));
    EXPECT_EQ(proposal.possible, log_joint(c, after) != kImpossible);
    if (!proposal.possible) {
      ++*impossible;
      continue;
    }
    EXPECT_EQ(proposal.size, trace.size());
    double expected = log_joint(c, after) - log_joint(c, before);
    if (from_prior) expected -= c.log_draw(after, k) - c.log_draw(before, k);
    const double ratio = proposal.log_likelihood_ratio + proposal.log_kept_ratio;
    most = std::max(most, std::fabs(ratio - expected) / std::max(1.0, std::fabs(expected)));
    // Stays where the density is not absurdly small.
    if (log_joint(c, after) > log_joint(c, before) - 3) trace.accept();
  }
  return most;
}

class Walk : public ::testing::TestWithParam<Case> {};

TEST_P(Walk, RatioIsThatOfTheJointDensities) {
  int impossible;
  EXPECT_LT(furthest(GetParam(), Mistake::None, &impossible), 1e-9);
  if (std::string(GetParam().name) != "gaussian_chain") {
    EXPECT_GT(impossible, 50);
  }
}

TEST_P(Walk, ForgottenPriorIsSeen) {
  int impossible;
  EXPECT_GT(furthest(GetParam(), Mistake::WalkWithoutPrior, &impossible), 0.1);
}

TEST_P(Walk, DensityOnTheRealLineIsThatOfTheJointDensity) {
  Program program(GetParam().text, Program::NoTarget{});
  const RunSetup setup = program.setup(nullptr);
  WorkerPool workers(setup, nullptr, ~std::size_t{0});
  RecordedDensity density(workers, 0);
  Stream stream(StreamName{5}, 0, 0);
  ASSERT_EQ(density.begin(stream, 2), RecordedDensity::Begin::Ready);
  Eigen::VectorXd q(density.dimension()), gradient(density.dimension());
  for (int i = 0; i < 1000; ++i) {
    for (double& x : q) x = 2 * stream.normal();
    std::vector<DrawnValue> draws;
    ASSERT_TRUE(density.values(q, &draws));
    Values v;
    for (const DrawnValue& d : draws) v.push_back(d.value.d);
    const double expected = log_joint(GetParam(), v) + GetParam().log_derivative(v);
    EXPECT_NEAR(density.at(q, gradient), expected, 1e-9 * std::max(1.0, std::fabs(expected)));
  }
}

TEST_P(Walk, DrawsByNoiseStandAtTheirRanks) {
  Program program(GetParam().text, Program::NoTarget{});
  const RunSetup setup = program.setup(nullptr);
  WorkerPool workers(setup, nullptr, ~std::size_t{0});
  Trace trace(workers, 0);
  trace.machine().stream.reset(StreamName{3}, 0, 0);
  bool possible = false;
  ASSERT_TRUE(trace.draw_prior(&possible) && possible);
  Stream stream(StreamName{6}, 0, 0);
  const auto values = [&](bool proposed) {
    Values v;
    for (std::size_t k = 0; k < trace.size(); ++k)
      v.push_back((proposed ? trace.proposed_choice(k) : trace.choice(k)).value.d);
    return v;
  };
  for (int i = 0; i < 500; ++i) {
    const Values before = values(false);
    std::vector<double> noise;
    bool known = false;
    ASSERT_TRUE(trace.noise(stream, &noise, &known) && known);
    ASSERT_EQ(noise.size(), before.size());
    for (std::size_t k = 0; k < noise.size(); ++k) {
      EXPECT_NEAR(normal_rank(noise[k]), GetParam().rank(before, k), 1e-12);
      noise[k] = 0.9 * noise[k] + 0.4 * stream.normal();
    }
    Trace::Proposal proposal;
    ASSERT_TRUE(trace.propose_noise(noise.data(), &proposal) && proposal.possible);
    const Values after = values(true);
    for (std::size_t k = 0; k < noise.size(); ++k)
      EXPECT_NEAR(normal_rank(noise[k]), GetParam().rank(after, k), 1e-12);
    const double expected = GetParam().log_likelihood(after) - GetParam().log_likelihood(before);
    EXPECT_NEAR(proposal.log_likelihood_ratio, expected, 1e-9 * std::fmax(1, std::fabs(expected)));
    EXPECT_EQ(proposal.log_kept_ratio, 0);
    if (stream.below(2) == 0) trace.accept();
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Walk, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace exact
