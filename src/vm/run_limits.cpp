// SPDX-License-Identifier: Apache-2.0
// See run_limits.hpp and stop.hpp.
#include "vm/run_limits.hpp"

#include <time.h>

#include <cstdint>

#include "base/memory_pressure.hpp"
#include "base/process_memory.hpp"
#include "fmt/format.h"
#include "vm/host_services.hpp"
#include "vm/run_state.hpp"

namespace chancel {

namespace {
// The time of steady_clock, as of the last tick of the system: engines ask at every step, and a few
// milliseconds do not matter.
std::int64_t coarse_now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

// Whether the form that was interrupted may continue for now: until it asks for the next draw.
bool may_go_on(RunLimits& limits) {
  constexpr std::int64_t kMoment = 500'000'000;  // ns
  if (!limits.ends_streams_first || !limits.takes_draws.load(std::memory_order_relaxed))
    return false;
  const std::int64_t now = coarse_now_ns();
  std::int64_t since = 0;
  if (limits.interrupted_since_ns.compare_exchange_strong(since, now)) return true;
  return now - since < kMoment;
}
}  // namespace

std::optional<Diagnostic> stop_requested(RunLimits& limits, bool at_top_level) {
  const auto stop = [](Code code, const char* message, const char* hint) {
    return Diagnostic{code, Severity::Error, {}, message, hint, {}};
  };
  if (limits.interrupted->load(std::memory_order_relaxed) && !(at_top_level && may_go_on(limits)))
    return stop(Code::L005, "interrupted", "");
  if (limits.output_exceeded.load(std::memory_order_relaxed))
    return stop(Code::L004, "the program wrote more than the output limit allows",
                "raise --max-output");
  const std::int64_t deadline = limits.deadline_ns.load(std::memory_order_relaxed);
  if (is_out_of_memory()) return memory_failure(0);
  const std::size_t memory = process_memory_limit();
  if (deadline == 0 && memory == 0) return std::nullopt;
  const std::int64_t now = coarse_now_ns();
  if (!process_memory_fits_by(now)) return memory_failure(memory);
  if (deadline == 0) return std::nullopt;
  if (limits.timed_out.load(std::memory_order_relaxed) || now > deadline) {
    limits.timed_out.store(true, std::memory_order_relaxed);
    return stop(Code::L002, "the time limit is over", "raise --timeout");
  }
  return std::nullopt;
}

std::optional<Diagnostic> stop_requested(Run* run) {
  return run ? run->reason_to_stop() : std::nullopt;
}

HostServices* services_of(const Run* run) { return run ? run->services : nullptr; }

Diagnostic memory_failure(std::size_t limit) {
  if (limit == 0) {
    note_out_of_memory();  // what goes by the outcome of a trial must not take this for one
    return {Code::L001,
            Severity::Error,
            {},
            "the machine has no memory left",
            "lower --max-memory, or use fewer particles",
            {}};
  }
  return {Code::L001,
          Severity::Error,
          {},
          limit < std::size_t{1} << 20
              ? fmt::format("the run needs more than {} kB of memory", limit >> 10)
              : fmt::format("the run needs more than {} MB of memory", limit >> 20),
          "raise --max-memory, use fewer particles, or look for unbounded growth",
          {}};
}

}  // namespace chancel
