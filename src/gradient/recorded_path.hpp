// SPDX-License-Identifier: Apache-2.0
// A path that a program took while it was recorded, ready to be evaluated (recorded_density.hpp).
#pragma once
#include <memory>

#include "gradient/recorded_density.hpp"
#include "record/batches.hpp"
#include "record/recorder.hpp"

namespace chancel {

struct RecordedDensity::Path {
  Recorded recorded;
  std::unique_ptr<Batches> batches;
  std::size_t guards_scored = 0;  // before the last draw or observe that the density has
  std::uint64_t used = 0;
  double log_density = 0;  // where it was evaluated last
  Batches::Sums sums;      // likewise
};

}  // namespace chancel
