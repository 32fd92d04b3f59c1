// SPDX-License-Identifier: Apache-2.0
// Warm-up of NUTS: Stan's windows, a frozen sampler afterwards, and chains from far away that arrive
// at the right means and variances. The latter are t-tests over independent chains: a fresh seed would
// fail one of the comparisons of a test with a probability below 1e-3.
#include "gradient/nuts_warmup.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/planted.hpp"
#include "move_checks.hpp"

namespace chancel {
namespace {

// After how many moves the metric changed.
std::vector<std::uint64_t> windows(std::uint64_t length) {
  StandardNormal density(2);
  NutsMove nuts(density, Metric(2, false));
  Stream stream({1}, 0, 0);
  EXPECT_TRUE(nuts.start(density.draw(stream)));
  NutsWarmup warmup(nuts, length, 0.8);
  EXPECT_TRUE(warmup.begin(stream));
  std::vector<std::uint64_t> ends;
  for (std::uint64_t i = 1; !warmup.over(); ++i) {
    const Eigen::VectorXd before = nuts.metric.variances();
    warmup.learn(nuts.move(stream), stream);
    if (nuts.metric.variances() != before) ends.push_back(i);
  }
  return ends;
}

TEST(NutsWarmup, WindowsAreStans) {
  using Ends = std::vector<std::uint64_t>;
  EXPECT_EQ(windows(1000), (Ends{100, 150, 250, 450, 950}));
  EXPECT_EQ(windows(2000), (Ends{100, 150, 250, 450, 850, 1950}));
  EXPECT_EQ(windows(200), (Ends{100, 150}));
  EXPECT_EQ(windows(150), (Ends{100}));
  EXPECT_EQ(windows(149), (Ends{135}));
  EXPECT_EQ(windows(20), (Ends{18}));
  EXPECT_EQ(windows(19), (Ends{}));
  EXPECT_EQ(windows(0), (Ends{}));
}

// A structure that is seldom met stops learning when the others are done.
TEST(NutsWarmup, MayEndBeforeItsLength) {
  StandardNormal density(2);
  for (const int moves : {0, 1, 60, 100}) {
    NutsMove nuts(density, Metric(2, false));
    Stream stream({7}, 0, 0);
    ASSERT_TRUE(nuts.start(density.draw(stream)));
    NutsWarmup warmup(nuts, 1000, 0.8);
    ASSERT_TRUE(warmup.begin(stream));
    for (int i = 0; i < moves; ++i) warmup.learn(nuts.move(stream), stream);
    EXPECT_FALSE(warmup.over());
    warmup.end();
    EXPECT_TRUE(warmup.over());
    EXPECT_GT(nuts.step_size, 0.1) << moves;
    EXPECT_LT(nuts.step_size, 10) << moves;
  }
}

TEST(NutsWarmup, NothingIsTunedAfterwards) {
  StandardNormal density(2);
  for (const Mistake mistake : {Mistake::None, Mistake::WarmupGoesOn}) {
    NutsMove nuts(density, Metric(2, false));
    const PlantedMistake plant(mistake);
    Stream stream({2}, 0, 0);
    ASSERT_TRUE(nuts.start(density.draw(stream)));
    NutsWarmup warmup(nuts, 100, 0.8);
    ASSERT_TRUE(warmup.begin(stream));
    double adapted = 0;
    for (int i = 0; i < 110; ++i) {
      const NutsFigures figures = nuts.move(stream);
      if (!warmup.over()) warmup.learn(figures, stream);
      if (i == 99) adapted = nuts.step_size;
    }
    EXPECT_EQ(nuts.step_size == adapted, mistake == Mistake::None);
  }
}

// The final step size is an average of logarithms, whose acceptance is above the wanted one, as in
// Stan.
TEST(NutsWarmup, AcceptanceIsNotBelowTheWantedOne) {
  CorrelatedNormal density(10, 100);
  double last_step = 10;
  for (const double wanted : {0.6, 0.8, 0.95}) {
    constexpr std::uint32_t kChains = 4;
    double acceptance = 0, step = 0;
    for (std::uint32_t chain = 0; chain < kChains; ++chain) {
      NutsMove nuts(density, Metric(10, false));
      Stream stream({3}, chain, 0);
      ASSERT_TRUE(nuts.start(Eigen::VectorXd::Zero(10)));
      NutsWarmup warmup(nuts, 1000, wanted);
      ASSERT_TRUE(warmup.begin(stream));
      while (!warmup.over()) warmup.learn(nuts.move(stream), stream);
      for (int i = 0; i < 1000; ++i) acceptance += nuts.move(stream).acceptance / 1000 / kChains;
      step += nuts.step_size / kChains;
    }
    EXPECT_GT(acceptance, wanted - 0.02);
    EXPECT_LT(acceptance, wanted + 0.7 * (1 - wanted));
    EXPECT_LT(step, 0.9 * last_step);
    last_step = step;
  }
}

double t_of(CorrelatedNormal& density, bool dense, double* mean_steps) {
  constexpr int kChains = 60, kDraws = 300;
  *mean_steps = 0;
  return largest_t(density, kChains, [&](Stream& stream, const auto& keep) {
    NutsMove nuts(density, Metric(density.n, dense));
    EXPECT_TRUE(nuts.start(Eigen::VectorXd::Constant(density.n, 20)));
    NutsWarmup warmup(nuts, 400, 0.8);
    EXPECT_TRUE(warmup.begin(stream));
    while (!warmup.over()) warmup.learn(nuts.move(stream), stream);
    for (int i = 0; i < kDraws; ++i) {
      *mean_steps += static_cast<double>(nuts.move(stream).steps) / kDraws / kChains;
      keep(nuts.position());
    }
  });
}

// With 59 degrees of freedom, |t| > 5 has a probability of 6e-6.
TEST(NutsWarmup, ChainsFromAfarArrive) {
  double steps_diagonal, steps_dense, steps_easy;
  CorrelatedNormal stiff(5, 1000), easy(10, 1);
  EXPECT_LT(t_of(stiff, false, &steps_diagonal), 5);
  EXPECT_LT(t_of(stiff, true, &steps_dense), 5);
  EXPECT_LT(t_of(easy, false, &steps_easy), 5);
  // A dense metric removes the correlation; a diagonal one cannot.
  EXPECT_LT(steps_dense, 8);
  EXPECT_LT(steps_easy, 8);
  EXPECT_GT(steps_diagonal, 3 * steps_dense);
}

}  // namespace
}  // namespace chancel
