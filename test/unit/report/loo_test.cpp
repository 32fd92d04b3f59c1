// SPDX-License-Identifier: Apache-2.0
// Leave-one-out estimates against those of the R package loo (2.5.1) on the same matrix, with r_eff =
// posterior::ess_mean of two chains over the number of draws.
#include "chancel/loo.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace chancel;

Loo example() {
  constexpr int kDraws = 2000;
  std::vector<std::vector<double>> columns;
  for (const double y : {-1.0, 0.0, 0.3, 0.8, 2.0, 6.0, 9.0}) {
    std::vector<double>& column = columns.emplace_back();
    for (int s = 0; s < kDraws; ++s) {
      const double mu =
          0.8 * std::sin(1.3 * s * s) + 0.3 * std::cos(0.7 * s) + 0.4 * std::sin(0.01 * s);
      column.push_back(-0.5 * (y - mu) * (y - mu) - 0.5 * std::log(2 * M_PI));
    }
  }
  return leave_one_out(columns, 2);
}

TEST(Loo, HasTheTotalsOfR) {
  const Loo loo = example();
  EXPECT_NEAR(loo.elpd_loo.value, -85.6859137520, 1e-7);
  EXPECT_NEAR(loo.elpd_loo.se, 50.4142481539, 1e-7);
  EXPECT_NEAR(loo.p_loo.value, 29.9686717289, 1e-7);
  EXPECT_NEAR(loo.p_loo.se, 17.9232996608, 1e-7);
  EXPECT_NEAR(loo.looic.value, 171.3718275040, 1e-7);
  EXPECT_NEAR(loo.looic.se, 100.8284963078, 1e-7);
  EXPECT_NEAR(loo.elpd_waic.value, -110.8450568488, 1e-7);
  EXPECT_NEAR(loo.elpd_waic.se, 69.0490443398, 1e-7);
  EXPECT_NEAR(loo.p_waic.value, 55.1278148257, 1e-7);
  EXPECT_NEAR(loo.p_waic.se, 36.4538009408, 1e-7);
  EXPECT_NEAR(loo.waic.value, 221.6901136976, 1e-7);
}

TEST(Loo, HasTheTermsOfR) {
  const double elpd[] = {-1.97187853736, -1.17485963399,  -1.23876424512, -1.65389783963,
                         -4.11811448133, -24.56169449173, -50.96670452284};
  const double k[] = {0.0563882347074, -0.3333521762454, -0.2122269808005, 0.0744917272414,
                      0.3418330970134, 0.5917201409301,  1.0602358463558};
  const Loo loo = example();
  ASSERT_EQ(loo.terms.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(loo.terms[i].elpd, elpd[i], 1e-8) << i;
    EXPECT_NEAR(loo.terms[i].pareto_k, k[i], 1e-8) << i;
  }
}

TEST(Loo, NamesTheObservesThatItCannotLeaveOut) {
  Loo loo = example();
  loo.terms[6].line = 12;
  EXPECT_EQ(loo.untrusted(), 1u);
  const std::string text = loo_table(loo);
  EXPECT_NE(text.find("log_lik[6] (line 12): k 1.06"), std::string::npos) << text;
  EXPECT_NE(text.find("4 of 7 p_waic above 0.4"), std::string::npos) << text;
}

TEST(Loo, AnObserveThatDependsOnNothingTakesNoParameter) {
  const Loo loo = leave_one_out({std::vector<double>(100, -2.5)}, 1);
  EXPECT_NEAR(loo.elpd_loo.value, -2.5, 1e-12);
  EXPECT_NEAR(loo.p_loo.value, 0, 1e-12);
  EXPECT_EQ(loo.untrusted(), 0u);
}

}  // namespace
