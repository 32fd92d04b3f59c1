// SPDX-License-Identifier: Apache-2.0
// The segments of a query for people: chancel dump --pass segments.
#pragma once
#include <string>

#include "infer/prefix.hpp"

namespace chancel::native {

// Its rest points, and the generated code. What goes wrong before the first draw is said instead.
std::string describe_segments(const RunSetup& setup);

}  // namespace chancel::native
