// SPDX-License-Identifier: Apache-2.0
// Processes that end with and without a goodbye. Ranks are processes here, which gather through pipes.
#include "ranks/death_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace chancel {
namespace {

// Two ranks: each sends what it has to the other.
std::vector<std::string> exchange(int socket, unsigned rank, const std::string& mine) {
  const auto size = static_cast<char>(mine.size());
  EXPECT_EQ(write(socket, &size, 1), 1);
  EXPECT_EQ(write(socket, mine.data(), mine.size()), static_cast<ssize_t>(mine.size()));
  char length = 0;
  EXPECT_EQ(read(socket, &length, 1), 1);
  std::string other(static_cast<std::size_t>(length), ' ');
  if (length > 0) {
    EXPECT_EQ(recv(socket, other.data(), other.size(), MSG_WAITALL), ssize_t{length});
  }
  return rank == 0 ? std::vector{mine, other} : std::vector{other, mine};
}

// What rank 0 notices of rank 1, which does this.
int noticed(void (*ends)(DeathWatch&)) {
  int pair[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    DeathWatch watch(1, "here", [&](const std::string& s) { return exchange(pair[1], 1, s); }, {});
    char byte;
    if (read(pair[1], &byte, 1) == 1) ends(watch);  // once rank 0 has its watch
    _exit(0);
  }
  close(pair[1]);
  std::atomic<int> told{-1};
  DeathWatch watch(
      0, "here", [&](const std::string& s) { return exchange(pair[0], 0, s); },
      [&](unsigned rank) { told = static_cast<int>(rank); });
  EXPECT_EQ(watch.watched(), 1u);
  EXPECT_EQ(watch.dead(), DeathWatch::kNobody);
  EXPECT_EQ(write(pair[0], "x", 1), 1);
  waitpid(child, nullptr, 0);
  for (int i = 0; i < 100 && told == -1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(told, watch.dead());
  close(pair[0]);
  return watch.dead();
}

TEST(DeathWatch, notices_who_is_killed) {
  EXPECT_EQ(noticed([](DeathWatch&) { raise(SIGKILL); }), 1);
}
TEST(DeathWatch, notices_who_ends_without_a_word) {
  EXPECT_EQ(noticed([](DeathWatch&) { _exit(1); }), 1);
}
TEST(DeathWatch, a_goodbye_is_not_a_death) {
  EXPECT_EQ(noticed([](DeathWatch& watch) { watch.say_goodbye(); }), DeathWatch::kNobody);
}

}  // namespace
}  // namespace chancel
