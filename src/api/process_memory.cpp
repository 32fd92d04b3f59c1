// SPDX-License-Identifier: Apache-2.0
#include "chancel/process_memory.hpp"

#include "base/memory_pressure.hpp"
#include "base/process_memory.hpp"
#include "runs/program.hpp"
#include "vm/stop.hpp"

namespace chancel {

void limit_whole_process(const Limits& limits) { limit_process_memory(memory_limit(limits)); }

void check_whole_process(std::size_t bytes) {
  if (!fits_process_memory(bytes)) throw ProcessMemoryFull(process_memory_limit());
}

void whole_process_ran_out() noexcept { note_out_of_memory(); }

std::string whole_process_message() {
  return within_memory([] { throw; })->message;
}

}  // namespace chancel
