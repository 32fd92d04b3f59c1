// SPDX-License-Identifier: Apache-2.0
// How far a run is, on stderr: a bar that is redrawn five times a second on a terminal, a line
// every ten seconds otherwise. A thread of its own does it, so that a long sweep is seen too; runs
// that end sooner show nothing. Counting a draw costs one relaxed store.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include "chancel/chancel.hpp"

namespace chancel::tool {

class Progress {
 public:
  enum class Style { None, Bar, Lines };
  // goal 0 = no end; `warms_up`: a warm-up comes before the first draw; `unit`: what is counted
  Progress(Style style, std::uint64_t goal, bool warms_up = false, std::string unit = "draws");
  ~Progress() { stop(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void count(std::uint64_t draws) { draws_.store(draws, std::memory_order_relaxed); }
  void at_barrier(const Barrier& barrier);
  // Evidence, work and memory so far. Ask wants_statistics() first: working them out is not free.
  bool wants_statistics() const {
    return style_ != Style::None && wants_statistics_.load(std::memory_order_relaxed);
  }
  void statistics(const RunStatistics& statistics);
  // Ends the thread and wipes the bar.
  void stop();

 private:
  void loop();
  std::string text() const;

  Style style_;
  std::uint64_t goal_;
  bool warms_up_;
  std::string unit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> draws_{0};
  std::atomic<std::uint64_t> sweep_{0};
  std::atomic<std::uint32_t> barrier_{0};
  std::atomic<double> ess_{-1};
  std::atomic<bool> wants_statistics_{true};
  std::atomic<double> steps_{0};
  std::atomic<double> log_evidence_{-std::numeric_limits<double>::infinity()};  // none so far
  std::atomic<double> memory_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  bool shown_ = false;
  std::thread thread_;
};

}  // namespace chancel::tool
