// SPDX-License-Identifier: Apache-2.0
// For programs that do one thing at a time: Limits::max_memory counts what runs hold for themselves, and this
// the memory of the whole process, which no buffer escapes. `chancel` uses it; a process that has other work beside its
// runs should not.
#pragma once
#include <cstddef>
#include <new>
#include <string>

#include "chancel/chancel.hpp"

namespace chancel {

// The process may have an eighth and 48 MB more than runs may; those that meet this end with L001.
void limit_whole_process(const Limits& limits);
// Throws a bad_alloc that runs report as L001 when the process may not have so much more. For an
// operator new, when it is asked for a megabyte or more.
void check_whole_process(std::size_t bytes);
// The system has refused memory: runs end with L001 when they next look at their limits.
void whole_process_ran_out() noexcept;
// In the handler of an exception for want of memory that has left the library: "the run needs more than 100 MB of memory".
// Other exceptions pass.
std::string whole_process_message();

}  // namespace chancel
