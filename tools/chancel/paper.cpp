// SPDX-License-Identifier: Apache-2.0
// chancel paper: starts the program of the paper's experiments (experiments/paper), which is not
// part of this one.
#include "command.hpp"
#include "companion.hpp"
#include "usage.hpp"

namespace chancel::tool {

int paper_command(const Arguments& arguments) {
  become("chancel-paper", arguments);
  throw UsageError("the program of the paper's experiments, chancel-paper, is not here",
                   "`make paper` in the source tree builds and runs it", "U002", ExitCode::NoInput);
}

}  // namespace chancel::tool
