// SPDX-License-Identifier: Apache-2.0
// The structure of the retained path of a chain of conditional sweeps, for StructureVisits. Sweeps keep no draws unless
// they must. A path is known by the names of its stretches, and a sweep changes few of them: the new ones are run again,
// from the same random numbers, which costs at most one execution for each sweep. What a draw looks like is kept as
// plain numbers.
//
// Where a stretch cannot be repeated (nested inference, a limit of memory), the structure stays unknown from then on.
#pragma once
#include <optional>
#include <vector>

#include "infer/structure_visits.hpp"
#include "particles/population.hpp"

namespace chancel {

class PathStructure {
 public:
  // `recorded`: the path has its draws. Nothing: unknown.
  std::optional<StructureKeys> read(Population& sweep, const RetainedPath& path, bool recorded);
  double log_density() const { return log_density_; }  // of what was read; NaN: unknown

 private:
  struct Stretch {
    SegmentName name;
    std::vector<StructureReader::SeenDraw> draws;
    double log_density = 0;
  };
  bool repeat(Population& sweep, const RetainedPath& path, std::size_t number);
  void take(Population& sweep, const RetainedPath& path, std::size_t number);

  std::vector<Stretch> stretches_;
  std::vector<Value> draws_;  // of one stretch, at once
  StructureReader reader_;
  double log_density_ = 0;
  bool unknown_ = false;
};

}  // namespace chancel
