// SPDX-License-Identifier: Apache-2.0
// See hidden_stream.hpp.
#include "vm/hidden_stream.hpp"

#include <fmt/format.h>

#include "diag/diagnostic.hpp"
#include "vm/machine.hpp"

namespace chancel {

Stream* hidden_stream(NativeContext& cx, const char* function) {
  if (!cx.stream) {
    cx.fail(
        Code::R014,
        fmt::format("{}: this engine runs parts of executions again, so every draw has to be a "
                    "sample",
                    function),
        -1,
        "use (sample dist); or importance, smc, pimh, pgibbs, ipmcmc or pcascade, which only go "
        "forward");
    return nullptr;
  }
  if (!cx.notes_hidden) return cx.stream;
  Machine& machine = *cx.machine;
  if (!machine.drew_hidden && !cx.take_noted()) {
    cx.note(Code::I009,
            fmt::format("{}: its draws are not in the trace: every step that runs this part of the "
                        "program again draws it afresh",
                        function),
            "use (sample dist), which the engine can keep or change by itself");
    return nullptr;
  }
  machine.drew_hidden = true;
  return cx.stream;
}

}  // namespace chancel
