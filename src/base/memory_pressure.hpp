// SPDX-License-Identifier: Apache-2.0
// Short of memory, without being over a limit (process_memory.hpp).
#pragma once

namespace chancel {

// The process was near its limit a few milliseconds ago: memory that is free but kept for later goes back to the system.
bool memory_is_short() noexcept;

// The system has refused memory, and perhaps a reserve was used instead: what runs now ends when it next looks at its limits.
void note_out_of_memory() noexcept;
bool is_out_of_memory() noexcept;
// Another run begins.
void forget_out_of_memory() noexcept;

}  // namespace chancel
