// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "signals.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

// The printing of a program may come from a worker thread while the main thread writes draws.
std::mutex& output_mutex() {
  static std::mutex mutex;
  return mutex;
}
std::string& buffer() {
  static std::string text;
  return text;
}
bool launched = false;
bool muted = false;
std::string& kept() {
  static std::string text;
  return text;
}
bool closed = false;
int lost = 0;  // errno of a write that failed for another reason than a reader who left

[[noreturn]] void tell_loss() {
  throw UsageError(std::string("cannot write to the output: ") + std::strerror(lost), "", "U004",
                   ExitCode::Failed);
}

// True when all was written.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void flush_locked() {
  std::string text;
  text.swap(buffer());
  if (lost != 0) tell_loss();
  if (closed || text.empty() || write_all(STDOUT_FILENO, text)) return;
  closed = true;
  if (errno != EPIPE) lost = errno;
  user_interrupt().request();  // a run that is making more output may stop
  if (lost != 0) tell_loss();
}

bool colour(int file) {
  const char* forbidden = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !launched && isatty(file) != 0 && (forbidden == nullptr || *forbidden == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

}  // namespace

void write_output(std::string_view text) {
  const std::lock_guard lock(output_mutex());
  if (closed || muted) return;
  buffer().append(text);
  static const bool interactive = output_is_terminal();
  if (buffer().size() >= kBufferSize || text.empty() ||
      (interactive && text.find('\n') != text.npos))
    flush_locked();
}

void flush_output() {
  const std::lock_guard lock(output_mutex());
  flush_locked();
}

bool output_is_closed() {
  const std::lock_guard lock(output_mutex());
  if (lost != 0) tell_loss();
  return closed;
}

void write_error(std::string_view text) {
  {
    const std::lock_guard lock(output_mutex());
    if (muted) {
      if (kept().size() < kBufferSize) kept() += text;
      return;
    }
    try {
      flush_locked();
    } catch (const UsageError&) {
      // A failed write is reported at the end.
    }
  }
  write_all(STDERR_FILENO, text);
}

void go_through_launcher() { launched = true; }
void keep_errors() { muted = true; }
std::string kept_errors() {
  const std::lock_guard lock(output_mutex());
  return kept();
}

bool input_is_terminal() { return isatty(STDIN_FILENO) != 0; }
bool output_is_terminal() { return !launched && isatty(STDOUT_FILENO) != 0; }
bool error_is_terminal() { return !launched && isatty(STDERR_FILENO) != 0; }

namespace {
std::size_t columns_of(int file) {
  constexpr std::size_t kUsual = 80, kLeast = 20;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return std::max<std::size_t>(size.ws_col, kLeast);
}
}  // namespace
std::size_t output_columns() { return columns_of(STDOUT_FILENO); }
std::size_t error_columns() { return columns_of(STDERR_FILENO); }
bool output_colour() { return colour(STDOUT_FILENO); }
bool error_colour() { return colour(STDERR_FILENO); }

}  // namespace chancel::tool
