// SPDX-License-Identifier: Apache-2.0
// Lineages against the parents themselves, with and without forgetting.
#include "infer/lineages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace chancel {
namespace {

TEST(Lineages, know_every_ancestor_of_the_living) {
  constexpr std::uint32_t kParticles = 50;
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    Lineages lineages;
    lineages.begin(kParticles);
    std::vector<std::vector<std::uint32_t>> all;
    for (int barrier = 0; barrier < 30; ++barrier) {
      std::vector<std::uint32_t> parents(kParticles);
      const bool stays = random() % 4 == 0;
      for (std::uint32_t i = 0; i < kParticles; ++i) parents[i] = stays ? i : random() % kParticles;
      std::sort(parents.begin(), parents.end());
      lineages.add(stays ? nullptr : parents.data());
      all.push_back(parents);
      if (random() % 3 == 0) {
        EXPECT_TRUE(lineages.forget_the_childless());
      }
      Lineages::Path path;
      for (std::uint32_t i = 0; i < kParticles; i += 1 + random() % 3) {
        const std::vector<std::uint32_t> last = path.slots;
        const std::size_t common = lineages.trace(i, path);
        ASSERT_EQ(path.slots.size(), all.size() + 1);
        for (std::size_t g = 0; g < common; ++g) ASSERT_EQ(path.slots[g], last[g]);
        std::uint32_t slot = i;
        for (std::size_t g = path.slots.size(); g-- > 0;) {
          ASSERT_EQ(path.slots[g], slot);
          if (g > 0) slot = all[g - 1][slot];
        }
      }
    }
  }
}

TEST(Lineages, forget_most) {
  constexpr std::uint32_t kParticles = 1000;
  std::mt19937 random(2);
  Lineages lineages;
  lineages.begin(kParticles);
  for (int barrier = 0; barrier < 400; ++barrier) {
    std::vector<std::uint32_t> parents(kParticles);
    for (std::uint32_t& p : parents) p = random() % kParticles;
    std::sort(parents.begin(), parents.end());
    lineages.add(parents.data());
  }
  EXPECT_EQ(lineages.entries(), 400u * kParticles);
  EXPECT_TRUE(lineages.forget_the_childless());
  EXPECT_LT(lineages.entries(), 20u * kParticles);
}

}  // namespace
}  // namespace chancel
