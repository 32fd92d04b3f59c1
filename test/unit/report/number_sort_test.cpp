// SPDX-License-Identifier: Apache-2.0
#include "report/number_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace chancel::report {
namespace {

// What the ways of sorting are made for: spread evenly, heavy tails, few values, the ends of the
// range, too few to count.
std::vector<std::vector<double>> series() {
  std::uint64_t state = 7;
  const auto uniform = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
  };
  std::vector<std::vector<double>> all(5);
  for (int i = 0; i < 300'001; ++i) {
    all[0].push_back(uniform() - 0.5);
    all[1].push_back(std::tan(3.141592653589793 * (uniform() - 0.5)));
    all[2].push_back(std::floor(7 * uniform()) - 3);
    all[3].push_back((uniform() < 0.5 ? -1 : 1) * std::numeric_limits<double>::max() * uniform());
    if (i < 100) all[4].push_back(i % 3 == 0 ? -0.0 : i % 3 == 1 ? 0.0 : uniform());
  }
  all[3][17] = std::numeric_limits<double>::infinity();
  all[3][18] = -std::numeric_limits<double>::infinity();
  all.emplace_back();
  return all;
}

TEST(NumberSort, OrdersByValueThenPlaceForAnyNumberOfThreads) {
  for (const std::vector<double>& x : series()) {
    std::vector<std::uint32_t> order(x.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return x[a] < x[b]; });
    for (const unsigned threads : {1u, 2u, 5u}) {
      const std::vector<Ranked> sorted = ranked(x, threads);
      ASSERT_EQ(sorted.size(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(sorted[i].row, order[i]);
        ASSERT_EQ(sorted[i].value, x[order[i]]);
      }
    }
    std::vector<double> values = x;
    sort_numbers(values);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(values[i], x[order[i]]);
  }
}

}  // namespace
}  // namespace chancel::report
