// SPDX-License-Identifier: Apache-2.0
// What stops a run from outside: the user, the clock, limits on output and depth (memory is the
// heap's). See vm/stop.hpp for who looks.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "diag/diagnostic.hpp"

namespace chancel {

// Shared by all machines of a run, written rarely.
struct RunLimits {
  std::shared_ptr<std::atomic<bool>> interrupted =  // the user asked to stop
      std::make_shared<std::atomic<bool>>(false);
  std::atomic<bool> timed_out{false};
  std::atomic<bool> output_exceeded{false};
  std::atomic<std::int64_t> deadline_ns{0};  // steady clock; 0 = none
  std::uint64_t max_depth = ~std::uint64_t{0};
  // At a prompt: an interrupt first ends the streams of draws that the form takes from, and the
  // form continues with the draws that it has (runs/doqueries.cpp). The form is stopped when it
  // takes none within a moment, or has taken none.
  bool ends_streams_first = false;
  std::atomic<bool> takes_draws{false};               // this form has asked a stream
  std::atomic<std::int64_t> interrupted_since_ns{0};  // 0: not interrupted, as far as was seen
  // How many more times a machine may ask for new fuel; below 0: without end. `check`, which runs nothing but macros,
  // and looks at a program before its run (runs/start.cpp) set it: a count of steps, so that what they find is the
  // same on every machine.
  std::int64_t rounds_left = -1;
};

// The reason to stop now, if there is one. `at_top_level`: asked by the form that a person has
// typed, not by an engine below it.
std::optional<Diagnostic> stop_requested(RunLimits& limits, bool at_top_level = false);

}  // namespace chancel
