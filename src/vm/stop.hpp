// SPDX-License-Identifier: Apache-2.0
// Reasons to stop a run. Machines look while they run, engines between runs; both say the same
// words.
#pragma once
#include <cstddef>
#include <new>
#include <optional>

#include "base/process_memory.hpp"
#include "diag/diagnostic.hpp"
#include "value/heap.hpp"
#include "value/run_watch.hpp"

namespace chancel {

struct Run;  // vm/run_state.hpp

// The reason to stop now, if there is one. `run` may be null.
std::optional<Diagnostic> stop_requested(Run* run);

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
  } catch (const ProcessMemoryFull& e) {
    return memory_failure(e.limit);
  } catch (const std::bad_alloc&) {
    return memory_failure(0);
  }
  return std::nullopt;
}

}  // namespace chancel
