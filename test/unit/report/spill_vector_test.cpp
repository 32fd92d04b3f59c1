// SPDX-License-Identifier: Apache-2.0
// Arrays that move to disk: what was pushed is what is read, whichever part is in memory.
#include "report/spill_vector.hpp"

#include <gtest/gtest.h>

namespace chancel::report {
namespace {

TEST(SpillVectorTest, GivesBackWhatWasPushed) {
  const auto pool = std::make_shared<SpillPool>();
  SpillVector<double> a(pool);
  SpillVector<std::uint32_t> b(pool);
  const std::size_t count = SpillPool::kBudget / 8 + 5000;  // past the budget
  for (std::size_t i = 0; i < count; ++i) {
    a.push_back(static_cast<double>(i) + 0.5);
    b.push_back(static_cast<std::uint32_t>(3 * i));
  }
  ASSERT_EQ(a.size(), count);
  for (std::size_t i = 0; i < count; i += 997) {
    ASSERT_EQ(a[i], static_cast<double>(i) + 0.5);
    ASSERT_EQ(b[i], static_cast<std::uint32_t>(3 * i));
  }
  std::size_t at = 0;
  bool same = true;
  a.each([&](double x) { same = same && x == static_cast<double>(at++) + 0.5; });
  EXPECT_TRUE(same);
  EXPECT_EQ(at, count);
  EXPECT_EQ(a[count - 1], static_cast<double>(count) - 0.5);
  EXPECT_FALSE(pool->is_full());
  a.clear();
  EXPECT_EQ(a.size(), 0u);
}

TEST(SpillVectorTest, ManyArraysKeepToTheBudgetTogether) {
  const auto pool = std::make_shared<SpillPool>();
  constexpr std::size_t kArrays = 3000, kEach = 2000;
  std::vector<SpillVector<double>> arrays(kArrays, SpillVector<double>(pool));
  std::size_t most = 0;
  for (std::size_t i = 0; i < kEach; ++i) {
    for (SpillVector<double>& a : arrays) a.push_back(static_cast<double>(i));
    most = std::max(most, pool->in_memory());
  }
  // Each may keep the beginning of a block until it is full.
  EXPECT_LE(most, SpillPool::kBudget + kArrays * SpillPool::kBlock);
  for (std::size_t i = 0; i < kEach; i += 37) ASSERT_EQ(arrays[i][i], static_cast<double>(i));
}

TEST(SpillVectorTest, TextsHaveABudget) {
  SpillPool pool;
  EXPECT_TRUE(pool.keep_text(SpillPool::kTextBudget - 10));
  EXPECT_FALSE(pool.keep_text(11));
  EXPECT_TRUE(pool.keep_text(10));
  EXPECT_FALSE(pool.keep_text(1));
}

TEST(SpillVectorTest, StaysInMemoryWithoutAPool) {
  SpillVector<double> a;
  for (int i = 0; i < 5000; ++i) a.push_back(i);
  EXPECT_EQ(a[4999], 4999);
}

}  // namespace
}  // namespace chancel::report
