// SPDX-License-Identifier: Apache-2.0
#include "gradient/nuts_warmup.hpp"

#include "base/planted.hpp"

namespace chancel {

NutsWarmup::NutsWarmup(NutsMove& move, std::uint64_t length, double wanted_acceptance)
    : move_(move),
      tuner_(wanted_acceptance),
      estimate_(move.position().size(), move.metric.dense()),
      length_(length) {
  std::uint64_t first = 75, last = 50;
  window_ = 25;
  if (length < 20) {
    first = length;
    last = window_ = 0;
  } else if (length < first + window_ + last) {
    first = length * 15 / 100;
    last = length / 10;
    window_ = length - first - last;
  }
  windows_from_ = first;
  windows_to_ = length - last;
  window_end_ = first + window_;
}

bool NutsWarmup::over() const { return done_ >= length_ && !planted(Mistake::WarmupGoesOn); }

bool NutsWarmup::begin(Stream& stream) {
  if (length_ == 0) return true;
  if (!move_.find_step_size(stream)) return false;
  tuner_.restart(move_.step_size);
  return true;
}

void NutsWarmup::learn(const NutsFigures& figures, Stream& stream) {
  move_.step_size = tuner_.learn(figures.acceptance);
  if (done_ >= windows_from_ && done_ < windows_to_) estimate_.add(move_.position());
  ++done_;
  if (over())
    move_.step_size = tuner_.final_step();
  else if (done_ == window_end_ && done_ > windows_from_)
    end_window(stream);
}

void NutsWarmup::end() {
  if (over() || planted(Mistake::WarmupGoesOn)) return;
  length_ = done_;
  if (done_ > 0) move_.step_size = tuner_.final_step();
}

void NutsWarmup::end_window(Stream& stream) {
  estimate_.give_to(move_.metric);
  estimate_.restart();
  // The next window is twice as long, or takes all that is left if one after it would not fit.
  window_ *= 2;
  window_end_ = done_ + window_;
  if (window_end_ + 2 * window_ > windows_to_) window_end_ = windows_to_;
  const double step = move_.step_size;
  if (!move_.find_step_size(stream)) move_.step_size = step;
  tuner_.restart(move_.step_size);
}

}  // namespace chancel
