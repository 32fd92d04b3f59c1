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
      [&](unsigned rank, DeathWatch::Loss) { told = static_cast<int>(rank); });
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

// What rank 0 notices, with a time limit that is over, of rank 1, which stops itself or does not.
int noticed_after_the_end(bool stops, DeathWatch::Pace pace) {
  int pair[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    DeathWatch watch(
        1, "here", [&](const std::string& s) { return exchange(pair[1], 1, s); }, {}, pace);
    char byte;
    if (read(pair[1], &byte, 1) == 1 && stops) raise(SIGSTOP);
    if (read(pair[1], &byte, 1) == 1) _exit(0);
    _exit(1);
  }
  close(pair[1]);
  std::atomic<bool> is_silent{false};
  DeathWatch watch(
      0, "here", [&](const std::string& s) { return exchange(pair[0], 0, s); },
      [&](unsigned, DeathWatch::Loss loss) { is_silent = loss == DeathWatch::Loss::Silent; }, pace);
  EXPECT_EQ(write(pair[0], "x", 1), 1);
  if (stops) waitpid(child, nullptr, WUNTRACED);
  watch.expect_end(0);
  for (int i = 0; i < (stops ? 6000 : 700) && watch.dead() == DeathWatch::kNobody; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const int noticed = watch.dead();
  for (int i = 0; i < 200 && stops && !is_silent; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(is_silent, stops);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(pair[0]);
  return noticed;
}

TEST(DeathWatch, gives_up_who_is_stopped_once_the_time_limit_is_over) {
  using std::chrono::milliseconds;
  EXPECT_EQ(noticed_after_the_end(true, {milliseconds(20), milliseconds(200), milliseconds(0)}), 1);
}

TEST(DeathWatch, waits_for_who_is_there) {
  using std::chrono::milliseconds;
  EXPECT_EQ(noticed_after_the_end(false, {milliseconds(20), milliseconds(3000), milliseconds(0)}),
            DeathWatch::kNobody);
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
