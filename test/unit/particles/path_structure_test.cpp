// SPDX-License-Identifier: Apache-2.0
// The structure of a retained path: stretches that are run again from their names give what a record of all draws gives.
#include "particles/path_structure.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../small_query.hpp"
#include "particles/conditional_sweeps.hpp"

namespace chancel {
namespace {

// Draws of all kinds, as many observes as chance decides, and a draw after the last one.
const char* const kBranches = R"((defquery branches []
  (let [m (mem (fn [i] (sample (normal i 1))))
        k (sample (poisson 1.5))]
    (observe (normal (m 0) 1) 0.5)
    (loop [i 0]
      (if (< i k)
        (do (observe (normal (m (sample (uniform-discrete 0 3))) 1) 1.0)
            (recur (inc i)))))
    (predict :k k)
    (sample (flip 0.5)))))";

SweepSettings settings(bool record) {
  SweepSettings s;
  s.particles = 5;
  s.resampling = Resampling::Multinomial;
  s.record_draws = record;
  return s;
}

// The same chain, once with a record of all draws.
TEST(PathStructure, RepeatedStretchesAreTheRecordedOnes) {
  SmallQuery query(kBranches);
  WorkerPool workers(query.setup(), nullptr, 64 << 20), recording(query.setup(), nullptr, 64 << 20);
  ConditionalSweeps chain(workers, settings(false)), with_draws(recording, settings(true));
  PathStructure repeated, recorded;
  std::size_t changes = 0;
  StructureKeys before;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const StreamName name{i + 1};
    ASSERT_TRUE(chain.step(name) && chain.choose_retained(name));
    ASSERT_TRUE(with_draws.step(name) && with_draws.choose_retained(name));
    const auto a = repeated.read(chain.sweep(), chain.retained(), false);
    const auto b = recorded.read(with_draws.sweep(), with_draws.retained(), true);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->fine, b->fine) << i;
    EXPECT_EQ(a->coarse, b->coarse) << i;
    EXPECT_NEAR(repeated.log_density(), recorded.log_density(), 1e-9);
    EXPECT_TRUE(std::isfinite(repeated.log_density()));
    changes += i > 0 && a->fine != before.fine;
    before = *a;
  }
  EXPECT_GT(changes, 5u);
  EXPECT_LT(changes, 60u);
}

TEST(PathStructure, IsUnknownWhereNoNamesAre) {
  SmallQuery query(kBranches);
  WorkerPool workers(query.setup(), nullptr, 64 << 20);
  ConditionalSweeps chain(workers, settings(false));
  ASSERT_TRUE(chain.step(StreamName{1}));
  ASSERT_TRUE(chain.choose_retained(StreamName{1}));
  PathStructure structure;
  chain.retained().names.clear();
  EXPECT_FALSE(structure.read(chain.sweep(), chain.retained(), false));
}

}  // namespace
}  // namespace chancel
