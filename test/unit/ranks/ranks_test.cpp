// SPDX-License-Identifier: Apache-2.0
// What ranks do together, with threads as ranks.
#include "ranks/ranks.hpp"

#include <gtest/gtest.h>

#include "on_ranks.hpp"
#include "ranks/mpi.hpp"

namespace chancel {
namespace {

TEST(Ranks, gathers_what_each_gives) {
  for (unsigned size = 1; size <= 9; ++size)
    on_ranks(size, [&](Ranks& ranks) {
      for (int again = 0; again < 3; ++again) {
        const auto all = ranks.all_gather(std::string(ranks.rank() * 3 + 1, 'a'));
        ASSERT_EQ(all.size(), size);
        for (unsigned r = 0; r < size; ++r) EXPECT_EQ(all[r].size(), r * 3 + 1);
      }
    });
}

TEST(Ranks, gathers_in_place) {
  for (unsigned size = 1; size <= 5; ++size)
    on_ranks(size, [&](Ranks& ranks) {
      std::vector<std::size_t> bounds{0};
      for (unsigned r = 0; r < size; ++r) bounds.push_back(bounds.back() + 2 * r);  // rank 0: none
      std::string all(bounds.back(), '?');
      for (std::size_t i = bounds[ranks.rank()]; i < bounds[ranks.rank() + 1]; ++i)
        all[i] = static_cast<char>('a' + ranks.rank());
      ranks.all_gather_in_place(all, bounds);
      std::string expected;
      for (unsigned r = 0; r < size; ++r)
        expected += std::string(2 * r, static_cast<char>('a' + r));
      EXPECT_EQ(all, expected);
    });
}

TEST(Ranks, groups_do_not_meet) {
  on_ranks(5, [](Ranks& world) {
    std::vector<unsigned> members;
    for (unsigned r = world.rank() % 2; r < 5; r += 2) members.push_back(r);
    Ranks group(world, members);
    EXPECT_EQ(group.size(), members.size());
    EXPECT_EQ(members[group.rank()], world.rank());
    const auto all = group.all_gather(std::to_string(world.rank()));
    for (unsigned i = 0; i < members.size(); ++i) EXPECT_EQ(all[i], std::to_string(members[i]));
    world.barrier();
  });
}

TEST(Ranks, who_waits_learns_that_the_run_is_over) {
  on_ranks(3, [](Ranks& ranks) {
    if (ranks.first()) {
      ranks.end_run();
    } else {
      EXPECT_THROW(ranks.receive(0, kDrawsTag), RunIsOver);
      EXPECT_TRUE(ranks.over());
    }
  });
}

TEST(Ranks, rank_0_learns_of_a_failure) {
  on_ranks(2, [](Ranks& ranks) {
    if (!ranks.first()) {
      ranks.tell_failure("no such file");
      return;
    }
    try {
      ranks.barrier();
      FAIL();
    } catch (const RankFailed& failed) {
      EXPECT_EQ(failed.rank, 1u);
      EXPECT_EQ(failed.why, "no such file");
    }
  });
}

TEST(Ranks, the_environment_says_how_many_there_are) {
  const auto with = [](std::string name, const char* value) {
    return launched_ranks([=](const char* asked) { return asked == name ? value : nullptr; });
  };
  EXPECT_EQ(with("HOME", "/"), 1u);
  EXPECT_EQ(with("OMPI_COMM_WORLD_SIZE", "4"), 4u);
  EXPECT_EQ(with("PMI_SIZE", "16"), 16u);
  EXPECT_EQ(with("PMIX_RANK", "0"), 0u);
}

TEST(Ranks, a_module_that_is_not_there_is_no_crash) {
  std::string problem;
  EXPECT_EQ(join_mpi({"/nowhere/libchancel_mpi.so"}, &problem), nullptr);
  EXPECT_FALSE(problem.empty());
  EXPECT_EQ(join_mpi({"libm.so.6"}, &problem), nullptr);
  EXPECT_EQ(problem, "libm.so.6 is not a module of Chancel");
}

}  // namespace
}  // namespace chancel
