// SPDX-License-Identifier: Apache-2.0
// JSON files have every count of engines that the chains of a run add up (infer/statistics.def).
#include "report/statistic_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace chancel::report {
namespace {

TEST(StatisticFields, IncludeAllSums) {
  const CountField sums[] = {
#define CHANCEL_SUM_Sum(name) {#name, &RunStatistics::name},
#define CHANCEL_SUM_Own(name)
#define CHANCEL_STATISTIC(type, name, initial, total) CHANCEL_SUM_##total(name)
#include "infer/statistics.def"
  };
  for (const CountField& sum : sums)
    EXPECT_EQ(std::count_if(std::begin(kStatisticCounts), std::end(kStatisticCounts),
                            [&](const CountField& field) {
                              return std::strcmp(field.name, sum.name) == 0 &&
                                     field.member == sum.member;
                            }),
              1)
        << sum.name;
}

}  // namespace
}  // namespace chancel::report
