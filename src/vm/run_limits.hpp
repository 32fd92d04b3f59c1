// SPDX-License-Identifier: Apache-2.0
// What stops a run from outside: the user, the clock, limits on output and memory. Machines look
// while they run, engines between runs; both say the same words.
#pragma once
#include <atomic>
#include <cstdint>
#include <new>
#include <optional>

#include "diag/diagnostic.hpp"
#include "value/heap.hpp"
#include "value/run_watch.hpp"

namespace chancel {

// Shared by all machines of a run, written rarely.
struct RunLimits final : RunWatch {
  static inline std::atomic<bool> interrupted{false};  // the user asked to stop: one user, one flag
  std::atomic<bool> timed_out{false};
  std::atomic<bool> output_exceeded{false};
  std::atomic<std::int64_t> deadline_ns{0};  // steady clock; 0 = none
  std::uint64_t max_depth = ~std::uint64_t{0};
  std::optional<Diagnostic> reason_to_stop() override;
  // How many more times a machine may ask for new fuel; below 0: without end. Only `check`, which
  // runs nothing but macros, sets it: a count of steps, so that what it finds is the same on every
  // machine.
  std::int64_t rounds_left = -1;
};

// The reason to stop now, if there is one. `limits` may be null.
std::optional<Diagnostic> stop_requested(RunLimits* limits);

// Codes of reasons to stop: no handler of a program may catch them.
inline bool is_limit(Code code) {
  return code == Code::L001 || code == Code::L002 || code == Code::L003 || code == Code::L004 ||
         code == Code::L005;
}

// A heap has reached its limit (0: the machine has no more).
Diagnostic memory_failure(std::size_t limit);
// Does work that allocates; gives the failure when memory ran out, or the reason when a native
// found that the run must end. Nothing else may let that pass:
// on the threads of a team, and at the public interface, it would end the program.
template <class Work>
std::optional<Diagnostic> within_memory(Work&& work) {
  try {
    work();
  } catch (const RunStopped& e) {
    return e.reason;
  } catch (const MemoryLimit& e) {
    return memory_failure(e.limit);
  } catch (const std::bad_alloc&) {
    return memory_failure(0);
  }
  return std::nullopt;
}

}  // namespace chancel
