// SPDX-License-Identifier: Apache-2.0
#include "particles/family_tree.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

using Links = std::vector<std::vector<FamilyTree::Link>>;

TEST(FamilyTree, OfFewHasEveryone) {
  FamilyTree tree;
  tree.add(std::vector<std::uint32_t>{0, 0, 2});
  tree.add(std::vector<std::uint32_t>{1, 1, 1});
  EXPECT_EQ(tree.links(), (Links{{{0, 0}, {1, 0}, {2, 2}}, {{0, 1}, {1, 1}, {2, 1}}}));
  tree.clear();
  EXPECT_EQ(tree.generations(), 0u);
}

TEST(FamilyTree, OfManyHasTheAncestorsOfSome) {
  constexpr std::uint32_t kParticles = 1000;
  FamilyTree tree;
  std::vector<std::uint32_t> halved(kParticles), same(kParticles);
  for (std::uint32_t i = 0; i < kParticles; ++i) {
    halved[i] = i / 2;
    same[i] = i;
  }
  tree.add(same);
  tree.add(halved);
  const Links links = tree.links();
  ASSERT_EQ(links.size(), 2u);
  EXPECT_EQ(links[1].size(), FamilyTree::kShown);
  for (const auto& [particle, ancestor] : links[1]) EXPECT_EQ(ancestor, particle / 2);
  // Who stands in one generation is an ancestor in the next.
  for (const auto& [particle, ancestor] : links[0]) {
    EXPECT_EQ(particle, ancestor);
    EXPECT_EQ(particle % 5, 0u);
  }
}

TEST(FamilyTree, EndsBeforeItGetsTooLarge) {
  FamilyTree tree;
  const std::vector<std::uint32_t> one(FamilyTree::kMaxLinks / 2, 0);
  for (int i = 0; i < 5; ++i) tree.add(one);
  EXPECT_EQ(tree.generations(), 2u);
}

}  // namespace
}  // namespace chancel
