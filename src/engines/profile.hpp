// SPDX-License-Identifier: Apache-2.0
// Attributes work and loss of particles to source lines. The run itself is not slowed down by
// clocks: the program is run again, in plain SMC sweeps that stop at every sample and observe. So
// the results describe the program, whatever engine was chosen.
#pragma once
#include <functional>
#include <vector>

#include "infer/engine.hpp"

namespace chancel {

// What one source line costs, for each execution. The public LineProfile says what the numbers mean.
struct LineCost {
  std::size_t line = 0;
  double samples = 0, observes = 0, applications = 0, seconds = 0;
  double weight_variance = 0, ess_loss = 0;
};

std::vector<LineCost> profile_lines(const RunSetup& setup, std::size_t query_line,
                                    const std::function<std::size_t(std::uint32_t site)>& line_of);

}  // namespace chancel
