// SPDX-License-Identifier: Apache-2.0
// The memory of the whole process, as the system counts it (resident pages), beside what heaps count for
// themselves: buffers, traces, recordings and matrices are memory of the process, too. A program that runs
// one thing at a time gives a limit; runs look at it with their clock, and its operator new before
// it allocates something large. Without a limit nothing is looked at: other processes that load the library
// have memory of their own.
#pragma once
#include <cstddef>
#include <new>

namespace chancel {

// Thrown in place of an allocation that the limit has no room for.
struct ProcessMemoryFull : std::bad_alloc {
  explicit ProcessMemoryFull(std::size_t bytes) : limit(bytes) {}
  std::size_t limit;  // as it was given
};

// `bytes` is what the heaps of a run may have. The process may have an eighth and 48 MB more: the program itself,
// the end of a collection, what a summary keeps. 0: no limit.
void limit_process_memory(std::size_t bytes);
std::size_t process_memory_limit();
// False when `more` bytes beside what the process has are too much. Costs a few microseconds.
bool fits_process_memory(std::size_t more = 0) noexcept;
// The same by what was found a few milliseconds ago, for those who ask often. `now`: any clock in nanoseconds.
bool process_memory_fits_by(long long now) noexcept;

}  // namespace chancel
