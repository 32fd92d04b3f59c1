// SPDX-License-Identifier: Apache-2.0
// Attributes work and loss of particles to source lines. The run itself is not slowed down by
// clocks: the program is run again, in plain SMC sweeps that stop at every sample and observe. So
// the figures are of the program, whatever engine was chosen.
#pragma once
#include <functional>
#include <vector>

#include "chancel/chancel.hpp"
#include "infer/engine.hpp"

namespace chancel {

std::vector<LineProfile> profile_lines(
    const RunSetup& setup, std::size_t query_line,
    const std::function<std::size_t(std::uint32_t site)>& line_of);

}  // namespace chancel
