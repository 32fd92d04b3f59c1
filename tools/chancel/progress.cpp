// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <vector>

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

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.1f}G", count / 1e9);
  if (count >= 1e6) return fmt::format("{:.1f}M", count / 1e6);
  return count >= 1e4 ? fmt::format("{:.0f}k", count / 1e3) : fmt::format("{:.0f}", count);
}

// As many of the parts as fit into a line; a line that wraps would not be overwritten by the next.
// The last column stays free: some terminals wrap when it is written.
std::string fitted(std::vector<std::string> parts, std::size_t columns) {
  // Numbers say more than the bar.
  if (parts.size() > 1 && parts[0].starts_with('[') && parts[0].size() + parts[1].size() > columns)
    parts.erase(parts.begin());
  std::string out;
  for (const std::string& part : parts) {
    if (out.size() + part.size() > columns) break;
    out += part;
  }
  return out.empty() ? parts.front().substr(0, columns) : out;
}

}  // namespace

Progress::Progress(Style style, std::uint64_t goal, bool warms_up, std::string unit)
    : style_(style), goal_(goal), warms_up_(warms_up), unit_(std::move(unit)) {
  if (style_ == Style::None) return;
  // Signals are for the main thread, whose reads and writes they interrupt.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: the run continues without progress.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Progress::at_barrier(const Barrier& barrier) {
  sweep_.store(barrier.sweep, std::memory_order_relaxed);
  barrier_.store(barrier.barrier, std::memory_order_relaxed);
  ess_.store(barrier.ess, std::memory_order_relaxed);
}

void Progress::statistics(const RunStatistics& statistics) {
  steps_.store(static_cast<double>(statistics.particle_steps), std::memory_order_relaxed);
  memory_.store(static_cast<double>(statistics.peak_memory), std::memory_order_relaxed);
  if (statistics.log_evidence)
    log_evidence_.store(*statistics.log_evidence, std::memory_order_relaxed);
  wants_statistics_.store(false, std::memory_order_relaxed);
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
    wants_statistics_.store(true, std::memory_order_relaxed);
    if (style_ == Style::Bar) wait = 200ms;
  }
}

std::string Progress::text() const {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::uint64_t draws = draws_.load(std::memory_order_relaxed);
  const double rate = static_cast<double>(draws) / seconds;
  std::vector<std::string> parts;  // the most important first
  if (draws == 0 && warms_up_) {
    parts.push_back(fmt::format("warm-up  {}", clock_text(seconds)));
  } else if (goal_ > 0) {
    const double share = std::min(1.0, static_cast<double>(draws) / static_cast<double>(goal_));
    const int full = static_cast<int>(share * kBarWidth);
    if (style_ == Style::Bar)
      parts.push_back(
          fmt::format("[{}{}] ", std::string(full, '#'), std::string(kBarWidth - full, '.')));
    parts.push_back(fmt::format("{:3.0f} %  {}/{} {}  {}", 100 * share, draws, goal_, unit_,
                                clock_text(seconds)));
    if (draws > 0)
      parts.push_back(fmt::format(
          ", {} left", clock_text(static_cast<double>(goal_ - std::min(goal_, draws)) / rate)));
  } else {
    parts.push_back(fmt::format("{} {}  {}", draws, unit_, clock_text(seconds)));
  }
  if (draws > 0) parts.push_back(fmt::format(", {:.0f} {}/s", rate, unit_));
  const double ess = ess_.load(std::memory_order_relaxed);
  if (ess >= 0) {
    parts.push_back(fmt::format(", sweep {}", sweep_.load(std::memory_order_relaxed) + 1));
    parts.push_back(
        fmt::format(" observe {}: ESS {:.0f}", barrier_.load(std::memory_order_relaxed) + 1, ess));
  }
  const double evidence = log_evidence_.load(std::memory_order_relaxed);
  if (std::isfinite(evidence)) parts.push_back(fmt::format(", log evidence {:.2f}", evidence));
  const double memory = memory_.load(std::memory_order_relaxed);
  if (memory > 0) parts.push_back(fmt::format(", {:.0f} MB", memory / 1e6));
  const double steps = steps_.load(std::memory_order_relaxed);
  if (steps > 0) parts.push_back(fmt::format(", {} particle-steps/s", count_text(steps / seconds)));
  return fitted(parts, error_columns() - 1);
}

}  // namespace chancel::tool
