// SPDX-License-Identifier: Apache-2.0
// What the work that is done when a run starts may cost (docs/decisions/025-work-done-once.md).
#include "session/prepared_queries.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

TEST(PreparedQueries, PartsThatCostTooMuchAreTriedByEverFewerRuns) {
  PreparedQueries::Part part;
  int tries = 0;
  for (int run = 0; run < 1000; ++run)
    if (!part.is_left()) {
      ++tries;
      part.leave();
    }
  EXPECT_EQ(tries, 9);
}

}  // namespace
}  // namespace chancel
