// SPDX-License-Identifier: Apache-2.0
// The segments of a query for people: chancel dump --pass segments, --pass machine.
#pragma once
#include <string>

#include "infer/prefix.hpp"

namespace chancel::native {

// Its rest points, where executions go on to from them, and the generated C; or the machine code of that.
// What goes wrong before the first draw is said instead.
std::string describe_segments(const RunSetup& setup, bool machine_code);

}  // namespace chancel::native
