// SPDX-License-Identifier: Apache-2.0
// What nuts would meet in a query: a few of its executions are recorded, as nuts does when it begins.
// Some programs have draws that no recording takes, need the values of moving draws all the time, or
// have a density in so few places that no point to begin at is found.
#pragma once
#include <string>

#include "infer/engine.hpp"

namespace chancel {

struct RecordingTrial {
  std::string against_nuts;  // why nuts cannot be chosen; empty: it can
  bool few_points = false;   // since few that were tried have a positive density
  bool some_held = false;    // draws that cannot move along a gradient
};
// `wanted`: recordings to look at. An execution that fails by a mistake of
// the program counts neither for nor against an engine: the run of the query reports the mistake.
RecordingTrial try_recording(const RunSetup& setup, unsigned wanted);

}  // namespace chancel
