// SPDX-License-Identifier: Apache-2.0
// NUTS moves with a fixed step size and metric leave known densities as they are (move_checks.hpp says
// how this is tested, and the rate of false alarms), and mistakes planted in them are seen.
#include "gradient/nuts_move.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/planted.hpp"
#include "move_checks.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  std::shared_ptr<KnownDensity> density;
  double step_size;
  bool dense = false;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

double z_of(const Case& c, Mistake mistake = Mistake::None) {
  const PlantedMistake plant(mistake);
  const auto* normal = dynamic_cast<const CorrelatedNormal*>(c.density.get());
  Metric metric(c.density->n, c.dense);
  if (normal && c.dense) metric.set_covariance(normal->covariance);
  if (normal && !c.dense) metric.set_variances(normal->covariance.diagonal());
  NutsMove nuts(*c.density, metric);
  nuts.step_size = c.step_size;
  return largest_z(*c.density, 20000, [&](const Eigen::VectorXd& q, Stream& stream) {
    EXPECT_TRUE(nuts.start(q));
    for (int i = 0; i < 4; ++i) nuts.move(stream);
    return nuts.position();
  });
}

class NutsKeeps : public ::testing::TestWithParam<Case> {};

TEST_P(NutsKeeps, TheDensity) { EXPECT_LT(z_of(GetParam()), kLargestZ); }

const Case kNormal10 = {"normal10", std::make_shared<StandardNormal>(10), 1.0};
const Case kBanana = {"banana", std::make_shared<Banana>(), 0.3};

INSTANTIATE_TEST_SUITE_P(
    Known, NutsKeeps,
    ::testing::Values(Case{"normal1", std::make_shared<StandardNormal>(1), 1.2}, kNormal10,
                      Case{"correlated", std::make_shared<CorrelatedNormal>(4, 1000), 0.06},
                      Case{"correlated_dense", std::make_shared<CorrelatedNormal>(4, 1000), 1.0,
                           true},
                      kBanana, Case{"half_lines", std::make_shared<HalfLines>(2, -kInfinity), 0.3},
                      Case{"nan_outside", std::make_shared<HalfLines>(1, NAN), 0.5},
                      Case{"pole_outside", std::make_shared<HalfLines>(1, kInfinity), 0.5},
                      Case{"funnel", std::make_shared<Funnel>(3), 0.3}),
    [](const auto& info) { return info.param.name; });

TEST(NutsMove, PlantedMistakesAreSeen) {
  EXPECT_GT(z_of(kNormal10, Mistake::UniformTrajectory), 2 * kLargestZ);
  EXPECT_GT(z_of(kBanana, Mistake::ChoiceOfUnfinished), 2 * kLargestZ);
}

// A wrong sign of the criterion leaves the density as it is, but the chain hardly moves.
TEST(NutsMove, TrajectoriesGoHalfWayAround) {
  StandardNormal density(10);
  for (const Mistake mistake : {Mistake::None, Mistake::TurnReversed}) {
    NutsMove nuts(density, Metric(10, false));
    nuts.step_size = 0.1;
    const PlantedMistake plant(mistake);
    Stream stream({3}, 0, 0);
    ASSERT_TRUE(nuts.start(density.draw(stream)));
    double depth = 0;
    for (int i = 0; i < 200; ++i) depth += nuts.move(stream).depth / 200.0;
    if (mistake == Mistake::None) {  // half a period is 31 steps
      EXPECT_GT(depth, 4);
      EXPECT_LT(depth, 6);
    } else {
      EXPECT_LT(depth, 2);
    }
  }
}

TEST(NutsMove, DivergencesAreCountedWhereTheyBegin) {
  Funnel funnel(10);
  StandardNormal normal(10);
  for (KnownDensity* density :
       {static_cast<KnownDensity*>(&funnel), static_cast<KnownDensity*>(&normal)}) {
    NutsMove nuts(*density, Metric(10, false));
    nuts.step_size = 0.5;
    Stream stream({4}, 0, 0);
    int divergent = 0;
    double neck = 0;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(nuts.start(density->draw(stream)));
      const NutsFigures figures = nuts.move(stream);
      EXPECT_GE(figures.steps, (1u << figures.depth) - 1);
      if (!figures.divergent) continue;
      ++divergent;
      neck += nuts.divergence()[0];
    }
    if (density == &normal) {
      EXPECT_EQ(divergent, 0);
    } else {
      EXPECT_GT(divergent, 50);
      EXPECT_LT(neck / divergent, -1);
    }
  }
}

TEST(NutsMove, StatisticsBelongToTheState) {
  StandardNormal density(3);
  NutsMove nuts(density, Metric(3, false));
  nuts.step_size = 0.5;
  nuts.max_depth = 3;
  Stream stream({5}, 0, 0);
  ASSERT_TRUE(nuts.start(density.draw(stream)));
  double kinetic = 0, acceptance = 0;
  for (int i = 0; i < 4000; ++i) {
    const NutsFigures figures = nuts.move(stream);
    EXPECT_LE(figures.steps, 7u);
    EXPECT_EQ(nuts.log_density(), -0.5 * nuts.position().squaredNorm());
    kinetic += (figures.energy + nuts.log_density()) / 4000;
    acceptance += figures.acceptance / 4000;
  }
  // The momentum of the chosen state is standard normal: 3 / 2, standard error 0.02 if independent.
  EXPECT_NEAR(kinetic, 1.5, 0.1);
  EXPECT_GT(acceptance, 0.9);
  EXPECT_LE(acceptance, 1);
}

TEST(NutsMove, StartSaysWhetherTheDensityIsPositive) {
  HalfLines density(2, -kInfinity);
  NutsMove nuts(density, Metric(2, false));
  EXPECT_FALSE(nuts.start(Eigen::Vector2d(-1, 1)));
  EXPECT_TRUE(nuts.start(Eigen::Vector2d(1, 1)));
  EXPECT_EQ(nuts.log_density(), -2);
}

TEST(NutsMove, StepSizeFollowsTheScale) {
  StandardNormal density(5);
  for (const double scale : {1e-4, 1.0, 1e4}) {
    Metric metric(5, false);
    metric.set_variances(Eigen::VectorXd::Constant(5, scale * scale));
    NutsMove nuts(density, metric);
    Stream stream({6}, 0, 0);
    ASSERT_TRUE(nuts.start(density.draw(stream)));
    EXPECT_TRUE(nuts.find_step_size(stream));
    EXPECT_GT(nuts.step_size * scale, 0.2);
    EXPECT_LT(nuts.step_size * scale, 4);
  }
}

TEST(NutsMove, FlatDensityHasNoStepSize) {
  struct Flat : LogDensity {
    Eigen::Index dimension() const override { return 2; }
    double at(const Eigen::VectorXd&, Eigen::VectorXd& gradient) override {
      gradient.setZero();
      return 0;
    }
  } density;
  NutsMove nuts(density, Metric(2, false));
  Stream stream({8}, 0, 0);
  ASSERT_TRUE(nuts.start(Eigen::Vector2d(0, 0)));
  EXPECT_FALSE(nuts.find_step_size(stream));
}

TEST(NutsMove, ASeedGivesTheSameBits) {
  Banana density;
  Eigen::VectorXd ends[2];
  for (Eigen::VectorXd& end : ends) {
    NutsMove nuts(density, Metric(2, false));
    nuts.step_size = 0.3;
    ASSERT_TRUE(nuts.start(Eigen::Vector2d(0.5, 0.5)));
    for (std::uint32_t i = 0; i < 50; ++i) {
      Stream stream({9}, 0, i);
      nuts.move(stream);
    }
    end = nuts.position();
  }
  EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace chancel
