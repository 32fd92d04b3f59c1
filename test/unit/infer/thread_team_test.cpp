// SPDX-License-Identifier: Apache-2.0
// The work of a team is done by as many threads as the system gives.
#include "infer/thread_team.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

namespace chancel {
namespace {

std::uint32_t members_at_work(ThreadTeam& team, unsigned members) {
  std::atomic<std::uint32_t> seen{0};
  team.run(members, [&](unsigned m) { seen.fetch_or(1u << m); });
  return seen.load();
}

TEST(ThreadTeam, DoesTheWorkOfAllMembers) {
  ThreadTeam team(4);
  EXPECT_EQ(team.size(), 4u);
  EXPECT_EQ(members_at_work(team, 4), 0xfu);
  EXPECT_EQ(members_at_work(team, 2), 0x3u);
}

TEST(ThreadTeam, ThrowsWhatAMemberThrewWhenAllAreDone) {
  ThreadTeam team(4);
  for (unsigned bad = 0; bad < 6; ++bad) {
    std::atomic<unsigned> done{0};
    const auto work = [&](unsigned m) {
      if (m == bad) throw std::bad_alloc();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++done;
    };
    EXPECT_THROW(team.run(6, work), std::bad_alloc);
    EXPECT_EQ(done, 5u);
  }
  EXPECT_EQ(members_at_work(team, 4), 0xfu);
}

TEST(ThreadTeam, MakesDoWithoutThreads) {
  // New threads ask for a stack that no address space has.
  pthread_attr_t usual;
  pthread_attr_t huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 47), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  {
    ThreadTeam team(4);
    EXPECT_EQ(team.size(), 1u);
    EXPECT_EQ(members_at_work(team, 4), 0xfu);
  }
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&huge);
  pthread_attr_destroy(&usual);
}

}  // namespace
}  // namespace chancel
