// SPDX-License-Identifier: Apache-2.0
// Whether native code pays for a population that it runs only in part. A particle that native code gives back to the
// interpreter has been run twice, and turned from one form into the other. Where a tenth of the particles come
// back, the next sweeps go by turns with and without native code, and the faster way runs all others. Draws
// are the same either way, so the clock may decide.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

namespace chancel {

class TierJudge {
 public:
  // Before a sweep. `now`: the processor time of this thread, in seconds. False: without native code.
  bool begin_sweep(double now) {
    if (state_ == State::Comparing) {
      double& best = native_ ? best_native_ : best_interpreted_;
      best = std::min(best, now - begun_);
      if (++compared_ == kCompared) state_ = State::Decided;
      native_ = state_ == State::Decided ? best_native_ < best_interpreted_ : !native_;
    } else if (state_ == State::Watching && gives_back()) {
      state_ = State::Comparing;
      native_ = false;
    }
    run_ = returned_ = 0;
    begun_ = now;
    return native_;
  }
  // Of one barrier, by any thread: particles that native code has run, and others.
  void add(std::size_t run, std::size_t returned) {
    run_.fetch_add(run, std::memory_order_relaxed);
    returned_.fetch_add(returned, std::memory_order_relaxed);
  }

 private:
  enum class State : std::uint8_t { Watching, Comparing, Decided };
  static constexpr int kCompared = 6;  // sweeps, half of them with native code
  bool gives_back() const { return returned_ > 0 && 9 * returned_ > run_; }

  State state_ = State::Watching;
  bool native_ = true;
  int compared_ = 0;
  double begun_ = 0;
  double best_native_ = std::numeric_limits<double>::infinity();
  double best_interpreted_ = std::numeric_limits<double>::infinity();
  std::atomic<std::uint64_t> run_{0}, returned_{0};
};

}  // namespace chancel
