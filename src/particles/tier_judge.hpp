// SPDX-License-Identifier: Apache-2.0
// Whether native code pays for a population. In the first sweep of native code a part of the particles goes to each
// barrier by the interpreter, and the processor time that a particle takes either way is compared. Native code that is
// not clearly faster there, or that later gives a tenth of the particles back (those have been run twice, and
// turned from one form into the other), is compared in whole sweeps: the next ones go by turns with and without it,
// and the faster way runs all others. Draws are the same either way, so the clock may decide.
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
      ++compared_;
      const bool both = compared_ >= 2;
      const bool clear = both && (best_native_ > kMuch * best_interpreted_ ||
                                  best_interpreted_ > kMuch * best_native_);
      if (clear || compared_ == kCompared) state_ = State::Decided;
      native_ = state_ == State::Decided ? best_native_ < best_interpreted_ : !native_;
    } else if (state_ != State::Decided && started_) {
      const bool doubtful = gives_back() || !clearly_faster();
      state_ = doubtful ? State::Comparing : State::Watching;
      native_ = !doubtful;
    }
    started_ = true;
    run_ = returned_ = 0;
    begun_ = now;
    return native_;
  }
  // In the first sweep: the others are not to be run natively.
  bool loses() const {
    return state_ == State::Sampling &&
           interpreted_part_.particles.load(std::memory_order_relaxed) >= kEnoughToLose &&
           native_part_.of_one() > interpreted_part_.of_one();
  }
  // Of one barrier, by any thread: particles that native code has run, and others.
  void add(std::size_t run, std::size_t returned) {
    run_.fetch_add(run, std::memory_order_relaxed);
    returned_.fetch_add(returned, std::memory_order_relaxed);
  }

  // The first sweep: sample_of the particles of a slice are to be interpreted, and both parts timed.
  bool compares_particles() const {
    return state_ == State::Sampling &&
           interpreted_part_.particles.load(std::memory_order_relaxed) < kEnough;
  }
  static std::size_t sample_of(std::size_t particles) {
    return std::min(particles / kSampled, kMostSampled);
  }
  void add_native(double seconds, std::size_t particles) { native_part_.add(seconds, particles); }
  void add_interpreted(double seconds, std::size_t particles) {
    interpreted_part_.add(seconds, particles);
  }

 private:
  enum class State : std::uint8_t { Sampling, Watching, Comparing, Decided };
  static constexpr int kCompared =
      6;  // sweeps, half of them with native code, unless the first two differ
  static constexpr double kMuch = 1.2;             // by this factor
  static constexpr std::size_t kSampled = 16;      // every sixteenth particle is interpreted,
  static constexpr std::size_t kMostSampled = 64;  // of a slice,
  static constexpr std::uint64_t kEnough = 4096, kEnoughToLose = 256;  // and of all
  // Times of a few particles are rough, and those of the interpreter contain the way from one form to the other.
  static constexpr double kClearly = 0.7;

  // Processor time of particles, by any thread.
  struct Part {
    std::atomic<std::uint64_t> nanoseconds{0}, particles{0};
    void add(double seconds, std::size_t count) {
      nanoseconds.fetch_add(static_cast<std::uint64_t>(1e9 * std::max(seconds, 0.0)),
                            std::memory_order_relaxed);
      particles.fetch_add(count, std::memory_order_relaxed);
    }
    double of_one() const {
      return static_cast<double>(nanoseconds) /
             static_cast<double>(std::max<std::uint64_t>(1, particles));
    }
  };
  bool gives_back() const { return returned_ > 0 && 9 * returned_ > run_; }
  bool clearly_faster() const {
    return state_ != State::Sampling || interpreted_part_.particles == 0 ||
           native_part_.of_one() < kClearly * interpreted_part_.of_one();
  }

  State state_ = State::Sampling;
  bool started_ = false;  // some sweep has begun
  bool native_ = true;
  int compared_ = 0;
  double begun_ = 0;
  double best_native_ = std::numeric_limits<double>::infinity();
  double best_interpreted_ = std::numeric_limits<double>::infinity();
  std::atomic<std::uint64_t> run_{0}, returned_{0};
  Part native_part_, interpreted_part_;
};

}  // namespace chancel
