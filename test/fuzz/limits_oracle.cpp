// SPDX-License-Identifier: Apache-2.0
// See limits_oracle.hpp.
#include "limits_oracle.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>

#include "chancel/chancel.hpp"

namespace chancel::fuzz {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

// What a run may work beyond its limit: it gives back its memory, which the system counts as its work too, and a
// collection near the memory limit is not interrupted.
constexpr double kTimeOver = kSanitized ? 5 : 1.5;
constexpr std::size_t kMemoryOver = std::size_t{64} << 20;
constexpr double kPatience = 10;

double seconds_of(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

// A child that works past `most` seconds is ended by the system.
[[noreturn]] void be_the_child(int fd, double most, const std::function<std::string()>& run) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const auto work = static_cast<rlim_t>(most) + 2;
  const rlimit processor{work, work};
  setrlimit(RLIMIT_CPU, &processor);
  std::string text;
  try {
    text = run();
  } catch (const Error& e) {
    text = e.what();
  } catch (const std::exception& e) {
    text = fmt::format("X001: an exception reached the caller: {}", e.what());
  }
  write_all(fd, text);
  _exit(0);
}

// Everything the child writes until it closes the pipe, or nothing more when time is up.
bool read_until_end(int fd, double patience, std::string* text) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  char buffer[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd p{fd, POLLIN, 0};
    if (poll(&p, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0) return true;
    text->append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

namespace {

// `over`: the finding is that it worked too long.
std::string finding_once(const CaseLimits& limits, const std::function<std::string()>& run,
                         bool* over) {
  *over = false;
  int ends[2];
  if (pipe(ends) != 0) return fmt::format("pipe: {}", std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) return fmt::format("fork: {}", std::strerror(errno));
  const double most = limits.seconds + kTimeOver;
  if (child == 0) {
    close(ends[0]);
    be_the_child(ends[1], most, run);
  }
  close(ends[1]);
  std::string text;
  // Others may hold the processor, so that the clock says little.
  const bool ended = read_until_end(ends[0], 4 * most + kPatience, &text);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  const double worked = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  const auto resident = static_cast<std::size_t>(used.ru_maxrss) << 10;
  if (!ended)
    return fmt::format("did not end: limit {} s, {:.2f} s of work", limits.seconds, worked);
  *over = worked > most;
  if (*over) return fmt::format("{:.2f} s of work under a limit of {} s", worked, limits.seconds);
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("exit status {}", WEXITSTATUS(status));
  if (text.find("X001") != std::string::npos) return "internal error: " + text.substr(0, 400);
  if (!kSanitized && resident > limits.bytes + kMemoryOver)
    return fmt::format("{} MB under a limit of {} MB", resident >> 20, limits.bytes >> 20);
  return {};
}

}  // namespace

// What the system does for the pages of a run counts as the run's work, and varies by a second where
// other processes ask for pages too. A limit that is not looked at is exceeded every time.
std::string finding_of(const CaseLimits& limits, const std::function<std::string()>& run) {
  constexpr int kTimes = 3;
  std::string finding;
  bool over = true;
  for (int i = 0; i < kTimes && over; ++i) finding = finding_once(limits, run, &over);
  return finding;
}

}  // namespace chancel::fuzz
