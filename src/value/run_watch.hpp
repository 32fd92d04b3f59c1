// SPDX-License-Identifier: Apache-2.0
// What may end a run from outside (its user, its clock), as natives see it: they ask now and then
// through NativeContext::tick. vm/run_state.hpp answers.
#pragma once
#include <optional>

#include "diag/diagnostic.hpp"

namespace chancel {

class RunWatch {
 public:
  // The reason to stop now, if there is one.
  virtual std::optional<Diagnostic> reason_to_stop() = 0;

 protected:
  ~RunWatch() = default;
};

// Thrown out of a native when the run must end, as MemoryLimit is; the VM turns it into a failed
// checkpoint that no handler of the program sees.
struct RunStopped {
  Diagnostic reason;
};

}  // namespace chancel
