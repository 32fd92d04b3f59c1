// SPDX-License-Identifier: Apache-2.0
// Lineages against the parents themselves, with and without forgetting.
#include "particles/lineages.hpp"

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
    lineages.begin(0, kParticles);
    std::vector<std::vector<std::uint32_t>> all;
    for (int barrier = 0; barrier < 30; ++barrier) {
      std::vector<std::uint32_t> parents(kParticles);
      const bool stays = random() % 4 == 0;
      for (std::uint32_t i = 0; i < kParticles; ++i) parents[i] = stays ? i : random() % kParticles;
      std::sort(parents.begin(), parents.end());
      lineages.add(stays ? nullptr : parents.data(), 0, kParticles);
      all.push_back(parents);
      if (random() % 3 == 0) lineages.forget_the_childless();
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

// Slices of one population know together what one table knows; particles that cross a border bring their past.
// Borders move.
TEST(Lineages, are_passed_across_borders) {
  constexpr std::uint32_t kParticles = 60;
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Lineages whole, parts[3];
    std::uint32_t bounds[] = {0, 20, 30, 60}, next[] = {0, 20, 30, 60};
    Lineages::Path told[3][3], heard[3][3];  // of, to: they are extended from barrier to barrier
    whole.begin(0, kParticles);
    for (int s = 0; s < 3; ++s) parts[s].begin(bounds[s], bounds[s + 1] - bounds[s]);
    for (int barrier = 0; barrier < 30; ++barrier) {
      std::vector<std::uint32_t> parents(kParticles);
      for (std::uint32_t& p : parents) p = random() % kParticles;
      std::sort(parents.begin(), parents.end());
      const bool stays = random() % 4 == 0;
      if (!stays) {
        next[1] = 15 + random() % 10;
        next[2] = 28 + random() % 5;
      }
      for (int to = 0; to < 3 && !stays; ++to)
        for (int of = 0; of < 3; ++of) {
          Lineages::Path &there = told[of][to], &here = heard[of][to];
          std::uint32_t last = ~0u;
          for (std::uint32_t i = next[to]; i < next[to + 1]; ++i) {
            const std::uint32_t parent = parents[i];
            if (of == to || parent < bounds[of] || parent >= bounds[of + 1] || parent == last)
              continue;
            const std::size_t common = parts[of].trace(last = parent, there);
            here.slots = there.slots;
            parts[to].adopt(here, common);
          }
        }
      whole.add(stays ? nullptr : parents.data(), 0, kParticles);
      for (int s = 0; s < 3; ++s) {
        bounds[s] = next[s];
        parts[s].add(stays ? nullptr : parents.data(), next[s], next[s + 1] - next[s]);
        if (random() % 3 == 0) parts[s].forget_the_childless();
      }
      Lineages::Path expected, path;
      for (std::uint32_t i = 0; i < kParticles; ++i) {
        whole.trace(i, expected);
        path = {};
        parts[i < bounds[1] ? 0 : i < bounds[2] ? 1 : 2].trace(i, path);
        ASSERT_EQ(path.slots, expected.slots);
      }
    }
  }
}

TEST(Lineages, forget_most) {
  constexpr std::uint32_t kParticles = 1000;
  std::mt19937 random(2);
  Lineages lineages;
  lineages.begin(0, kParticles);
  for (int barrier = 0; barrier < 400; ++barrier) {
    std::vector<std::uint32_t> parents(kParticles);
    for (std::uint32_t& p : parents) p = random() % kParticles;
    std::sort(parents.begin(), parents.end());
    lineages.add(parents.data(), 0, kParticles);
  }
  EXPECT_LE(lineages.entries(), 400u * kParticles);
  lineages.forget_the_childless();
  EXPECT_LT(lineages.entries(), 20u * kParticles);
}

}  // namespace
}  // namespace chancel
