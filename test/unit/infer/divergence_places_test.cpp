// SPDX-License-Identifier: Apache-2.0
#include "infer/divergence_places.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

Eigen::VectorXd at(double a, double b) {
  Eigen::VectorXd q(2);
  q << a, b;
  return q;
}

TEST(DivergencePlaces, ShiftIsFromTheMeanToTheMedianInStandardDeviations) {
  DivergencePlaces places;
  places.enter({{7, CoordinateSense::RisingFromBound}, {8, CoordinateSense::Rising}});
  for (int i = -50; i <= 50; ++i) places.draw(at(10 + i, 0.1 * i));
  const double sd = places.all()[0].draws.sd();
  EXPECT_NEAR(sd, 29.3, 0.01);
  for (const double far : {-40.0, -42.0, -41.0, 1e9}) places.divergence(at(10 + far, 0));
  places.divergence(at(10 - 41, std::nan("")));  // not a state
  ASSERT_EQ(places.all()[0].divergences.size(), 4u);
  EXPECT_NEAR(places.all()[0].shift(), -40 / sd, 1e-9);
  EXPECT_NEAR(places.all()[1].shift(), 0, 1e-9);
  EXPECT_EQ(places.all()[0].site, 7u);
}

TEST(DivergencePlaces, ChainsAddUpByPlaceWhateverTheirOrder) {
  DivergencePlaces one, two, all;
  one.enter({{1, {}}, {1, {}}});
  two.enter({{2, {}}, {1, {}}});
  for (int i = 0; i < 10; ++i) {
    one.draw(at(i, 2 * i));
    two.draw(at(-i, 10 + i));
    all.enter({{1, {}}, {1, {}}});
    all.draw(at(i, 2 * i));
  }
  all.enter({{2, {}}, {1, {}}});
  for (int i = 0; i < 10; ++i) all.draw(at(-i, 10 + i));
  two.divergence(at(3, 4));
  one.add(two);
  ASSERT_EQ(one.all().size(), 3u);  // two of site 1, one of site 2
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.all()[i].draws.count, all.all()[i].draws.count);
    EXPECT_NEAR(one.all()[i].draws.mean, all.all()[i].draws.mean, 1e-12);
    EXPECT_NEAR(one.all()[i].draws.sd(), all.all()[i].draws.sd(), 1e-12);
  }
  EXPECT_EQ(one.all()[0].divergences, std::vector<double>{4});
  EXPECT_EQ(one.all()[2].divergences, std::vector<double>{3});
}

TEST(DivergencePlaces, NoShiftWithoutDivergencesOrSpread) {
  DivergencePlaces places;
  places.enter({{1, {}}, {2, {}}});
  for (int i = 0; i < 5; ++i) places.draw(at(1, i));
  EXPECT_EQ(places.all()[1].shift(), 0);
  places.divergence(at(1, 2));
  EXPECT_EQ(places.all()[0].shift(), 0);
}

}  // namespace
}  // namespace chancel
