// SPDX-License-Identifier: Apache-2.0
// The adaptive walk, once warmed up, leaves known densities as they are (move_checks.hpp has the method
// and the rate of false alarms); it learns their shape; planted mistakes are seen.
#include "gradient/adaptive_walk.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/planted.hpp"
#include "move_checks.hpp"

namespace chancel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

AdaptiveWalk warmed_up(KnownDensity& density, std::uint64_t warmup) {
  AdaptiveWalk walk(density, Eigen::VectorXd::Ones(density.n), warmup);
  Stream stream({1}, 0, 0);
  EXPECT_TRUE(walk.start(density.draw(stream)));
  while (walk.warming_up()) walk.move(stream);
  return walk;
}

struct Case {
  const char* name;
  std::shared_ptr<KnownDensity> density;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

double z_of(const Case& c, Mistake mistake = Mistake::None) {
  AdaptiveWalk walk = warmed_up(*c.density, 2000);
  const PlantedMistake plant(mistake);
  return largest_z(*c.density, 20000, [&](const Eigen::VectorXd& q, Stream& stream) {
    EXPECT_TRUE(walk.start(q));
    for (int i = 0; i < 15; ++i) walk.move(stream);
    return walk.position();
  });
}

class WalkKeeps : public ::testing::TestWithParam<Case> {};

TEST_P(WalkKeeps, TheDensity) { EXPECT_LT(z_of(GetParam()), kLargestZ); }

const Case kNormal5 = {"normal5", std::make_shared<StandardNormal>(5)};

INSTANTIATE_TEST_SUITE_P(
    Known, WalkKeeps,
    ::testing::Values(Case{"normal1", std::make_shared<StandardNormal>(1)}, kNormal5,
                      Case{"correlated", std::make_shared<CorrelatedNormal>(4, 1000)},
                      Case{"banana", std::make_shared<Banana>()},
                      Case{"half_lines", std::make_shared<HalfLines>(2, -kInfinity)},
                      Case{"nan_outside", std::make_shared<HalfLines>(1, NAN)},
                      Case{"pole_outside", std::make_shared<HalfLines>(1, kInfinity)},
                      Case{"funnel", std::make_shared<Funnel>(3)}),
    [](const auto& info) { return info.param.name; });

TEST(AdaptiveWalk, PlantedMistakeIsSeen) {
  EXPECT_GT(z_of(kNormal5, Mistake::AcceptAlways), 2 * kLargestZ);
}

TEST(AdaptiveWalk, NothingIsTunedAfterwards) {
  StandardNormal density(3);
  for (const Mistake mistake : {Mistake::None, Mistake::WarmupGoesOn}) {
    AdaptiveWalk walk = warmed_up(density, 100);
    const PlantedMistake plant(mistake);
    const Eigen::MatrixXd adapted = walk.factor();
    Stream stream({2}, 0, 0);
    for (int i = 0; i < 10; ++i) walk.move(stream);
    EXPECT_EQ(walk.factor() == adapted, mistake == Mistake::None);
  }
}

TEST(AdaptiveWalk, LearnsTheShape) {
  CorrelatedNormal density(4, 1000);
  AdaptiveWalk walk = warmed_up(density, 20000);
  // In coordinates in which the density is standard normal, the proposal is about round.
  const Eigen::MatrixXd relative = density.factor.inverse() * walk.factor();
  const Eigen::VectorXd axes = relative.jacobiSvd().singularValues();
  EXPECT_LT(axes[0] / axes[3], 2);
  double acceptance = 0;
  Stream stream({3}, 0, 0);
  for (int i = 0; i < 10000; ++i) acceptance += walk.move(stream).acceptance / 10000;
  EXPECT_NEAR(acceptance, 0.234, 0.06);
}

TEST(AdaptiveWalk, FactorUpdatesAreExact) {
  // After one move with rate 1 the covariance is known: that before, with one direction scaled.
  StandardNormal density(4);
  for (std::uint32_t i = 0; i < 20; ++i) {
    AdaptiveWalk walk(density, Eigen::Vector4d(1, 2, 3, 0.5), 1);
    const Eigen::MatrixXd before = walk.factor();
    Stream stream({4}, i, 0), same({4}, i, 0);
    ASSERT_TRUE(walk.start(Eigen::VectorXd::Zero(4)));
    const double acceptance = walk.move(stream).acceptance;
    Eigen::VectorXd u = density.normals(same);
    u /= u.norm();
    const Eigen::MatrixXd inner =
        Eigen::MatrixXd::Identity(4, 4) + (acceptance - 0.234) * u * u.transpose();
    const Eigen::MatrixXd wanted = before * inner * before.transpose();
    const Eigen::MatrixXd got = walk.factor() * walk.factor().transpose();
    EXPECT_LT((got - wanted).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(AdaptiveWalk, StaysInTheRangeOfNumbers) {
  struct Constant : LogDensity {
    Eigen::Index dimension() const override { return 5; }
    double at(const Eigen::VectorXd&, Eigen::VectorXd&) override { return 0; }
  } flat;
  struct Needle : LogDensity {
    Eigen::Index dimension() const override { return 5; }
    double at(const Eigen::VectorXd& q, Eigen::VectorXd&) override {
      return q.isZero(0) ? 0 : -kInfinity;
    }
  } needle;
  for (LogDensity* density : {static_cast<LogDensity*>(&flat), static_cast<LogDensity*>(&needle)}) {
    AdaptiveWalk walk(*density, Eigen::VectorXd::Ones(5), 200000);
    Stream stream({5}, 0, 0);
    ASSERT_TRUE(walk.start(Eigen::VectorXd::Zero(5)));
    while (walk.warming_up()) walk.move(stream);
    EXPECT_TRUE(walk.factor().allFinite());
    EXPECT_GT(walk.factor().diagonal().minCoeff(), 0);
  }
}

// With 59 degrees of freedom, |t| > 5 has a probability of 6e-6.
TEST(AdaptiveWalk, ChainsFromAfarArrive) {
  CorrelatedNormal density(4, 1000);
  const double t = largest_t(density, 60, [&](Stream& stream, const auto& keep) {
    AdaptiveWalk walk(density, Eigen::VectorXd::Ones(4), 4000);
    EXPECT_TRUE(walk.start(Eigen::VectorXd::Constant(4, 20)));
    while (walk.warming_up()) walk.move(stream);
    for (int i = 0; i < 4000; ++i) {
      walk.move(stream);
      keep(walk.position());
    }
  });
  EXPECT_LT(t, 5);
}

}  // namespace
}  // namespace chancel
