// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>

#include "console.hpp"

namespace chancel::tool {
namespace {

using namespace std::chrono_literals;
constexpr int kBarWidth = 24;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

Progress::Progress(Style style, std::uint64_t goal, std::string unit)
    : style_(style), goal_(goal), unit_(std::move(unit)) {
  if (style_ == Style::None) return;
  // Signals are for the main thread, whose reads and writes they interrupt.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { loop(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Progress::at_barrier(const Barrier& barrier) {
  sweep_.store(barrier.sweep, std::memory_order_relaxed);
  barrier_.store(barrier.barrier, std::memory_order_relaxed);
  ess_.store(barrier.ess, std::memory_order_relaxed);
}

void Progress::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
  if (style_ == Style::Bar && shown_) write_error("\r\x1b[K");
}

void Progress::loop() {
  std::unique_lock lock(mutex_);
  auto wait = style_ == Style::Bar ? 500ms : 10000ms;
  while (!wake_.wait_for(lock, wait, [this] { return done_; })) {
    write_error(style_ == Style::Bar ? "\r" + text() + "\x1b[K" : text() + "\n");
    shown_ = true;
    if (style_ == Style::Bar) wait = 200ms;
  }
}

std::string Progress::text() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::uint64_t draws = draws_.load(std::memory_order_relaxed);
  const double rate = static_cast<double>(draws) / seconds;
  std::string out;
  if (goal_ > 0) {
    const double share = std::min(1.0, static_cast<double>(draws) / static_cast<double>(goal_));
    const int full = static_cast<int>(share * kBarWidth);
    if (style_ == Style::Bar)
      out += fmt::format("[{}{}] ", std::string(full, '#'), std::string(kBarWidth - full, '.'));
    out += fmt::format("{:3.0f} %  {}/{} {}  {}", 100 * share, draws, goal_, unit_,
                       clock_text(seconds));
    if (draws > 0)
      out += fmt::format(", {} left",
                         clock_text(static_cast<double>(goal_ - std::min(goal_, draws)) / rate));
  } else {
    out += fmt::format("{} {}  {}", draws, unit_, clock_text(seconds));
  }
  if (draws > 0) out += fmt::format(", {:.0f} {}/s", rate, unit_);
  const double ess = ess_.load(std::memory_order_relaxed);
  if (ess >= 0) {
    out +=
        fmt::format(", sweep {} observe {}: ESS {:.0f}", sweep_.load(std::memory_order_relaxed) + 1,
                    barrier_.load(std::memory_order_relaxed) + 1, ess);
  }
  return out;
}

}  // namespace chancel::tool
