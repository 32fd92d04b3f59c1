// SPDX-License-Identifier: Apache-2.0
// Log densities and their derivatives against Stan's, for the distributions that both have
// (stan/densities.inc).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dist/distribution.hpp"
#include "value/dist_object.hpp"

namespace chancel {
namespace {

struct Row {
  const char* name;
  std::vector<double> parameters;
  double x;
  double log_prob;
  std::vector<double> slopes;  // of the parameters, then of x
};

TEST(StanDensities, Agree) {
  const Row rows[] = {
#include "stan/densities.inc"
  };
  for (const Row& row : rows) {
    const Density* density = find_distribution(row.name)->density;
    ASSERT_NE(density, nullptr) << row.name;
    const std::size_t n = row.parameters.size();
    std::vector<double> slopes(n + 1);
    std::vector<Lane> lanes;
    std::vector<AdjointLane> adjoints;
    for (std::size_t i = 0; i < n; ++i) {
      lanes.push_back({&row.parameters[i], 0});
      adjoints.push_back({&slopes[i], 0});
    }
    const auto near = [&](double got, double expected, const char* what) {
      EXPECT_NEAR(got, expected, 1e-10 * std::fmax(1, std::fabs(expected)))
          << row.name << " at " << row.x << ": " << what;
    };
    double log_prob;
    density->log_prob(lanes.data(), {&row.x, 0}, 1, &log_prob);
    near(log_prob, row.log_prob, "log density");
    const double one = 1;
    density->gradient(lanes.data(), {&row.x, 0}, &one, 1, adjoints.data(), {&slopes[n], 0});
    for (std::size_t i = 0; i <= n; ++i) near(slopes[i], row.slopes[i], "slope");
  }
}

}  // namespace
}  // namespace chancel
