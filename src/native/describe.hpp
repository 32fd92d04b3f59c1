// SPDX-License-Identifier: Apache-2.0
// Prints the segments of a query: chancel dump --pass segments, --pass machine.
#pragma once
#include <string>

#include "infer/prefix.hpp"

namespace chancel::native {

// The resume points, the exits of each segment and the generated C, or its machine code. If the
// query fails before its first draw, the text is that failure.
std::string describe_segments(const RunSetup& setup, bool machine_code);

}  // namespace chancel::native
