// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>

#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::string read_input(const std::string& path, const char* what, const Limits& limits) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto fail = [&](const std::string& why, const std::string& hint) {
    return UsageError(fmt::format("cannot read {}: {}", input_name(path), why), hint, "U002",
                      ExitCode::NoInput);
  };
  // A pipe without a writer would not even open otherwise.
  const int file = path == "-" ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) {
    const int why = errno;
    throw fail(
        why == ENOENT ? "there is no such file" : std::strerror(why),
        why == ENOENT ? fmt::format("check the path; - reads {} from standard input", what) : "");
  }
  struct stat status = {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (path != "-") ::close(file);
    throw fail("it is a directory", "name a file in it");
  }
  const auto over = [&](const char* code, const std::string& why, const char* hint) {
    if (path != "-") ::close(file);
    return UsageError(fmt::format("{}: {}", input_name(path), why), hint, code, ExitCode::Failed);
  };
  const auto too_large = [&] {
    return over("L001", fmt::format("{} need more memory than the limit allows", what),
                "raise --max-memory, or check the path");
  };
  std::string text;
  char part[1 << 16];
  try {
    if (S_ISREG(status.st_mode)) text.reserve(static_cast<std::size_t>(status.st_size));
  } catch (const std::bad_alloc&) {
    throw too_large();
  }
  while (true) {
    constexpr int kWait = 50;  // ms
    pollfd ready{file, POLLIN, 0};
    const int some = ::poll(&ready, 1, kWait);
    if (limits.timeout > 0 &&
        std::chrono::duration<double>(Clock::now() - start).count() > limits.timeout)
      throw over("L002", fmt::format("the time limit is over before all of {} has come", what),
                 "raise --timeout, or check the path");
    if (some == 0) continue;
    const ssize_t got = some < 0 ? -1 : ::read(file, part, sizeof part);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EAGAIN || (errno == EINTR && !user_interrupt().requested())) continue;
      const int why = errno;
      if (path != "-") ::close(file);
      throw fail(std::strerror(why), "");
    }
    if (limits.max_memory && text.size() + static_cast<std::size_t>(got) > limits.max_memory)
      throw too_large();
    try {
      text.append(part, static_cast<std::size_t>(got));
    } catch (const std::bad_alloc&) {
      throw too_large();
    }
  }
  if (path != "-") ::close(file);
  return text;
}

std::string read_program(const std::string& path, const Limits& limits) {
  std::string text = read_input(path, "the program", limits);
  if (text.starts_with("#!")) text[0] = text[1] = ';';
  return text;
}

}  // namespace chancel::tool
