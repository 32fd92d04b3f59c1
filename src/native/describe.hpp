// SPDX-License-Identifier: Apache-2.0
// Prints the segments of a query: chancel dump --pass segments, --pass machine; and what making them costs.
#pragma once
#include <string>
#include <vector>

#include "infer/prefix.hpp"

namespace chancel::native {

// The resume points, the exits of each segment, the segments without some of their passes, and the C
// that is made of them, or its machine code. If the query fails before its first draw, the text is
// that failure.
std::string describe_segments(const RunSetup& setup, bool machine_code,
                              const std::vector<std::string>& without = {});

// Lowering, each pass, and the emitter, in their order. Empty: the query draws nothing.
struct TimedStep {
  std::string name, doc;
  double seconds = 0;
};
std::vector<TimedStep> time_segments(const RunSetup& setup);

}  // namespace chancel::native
