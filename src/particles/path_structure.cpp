// SPDX-License-Identifier: Apache-2.0
// See path_structure.hpp.
#include "particles/path_structure.hpp"

namespace chancel {

namespace {
StructureReader::SeenDraw seen(const Value* draw) {
  return StructureReader::seen(static_cast<std::uint32_t>(draw[0].i), draw[3], draw[2]);
}
bool same_name(const SegmentName& a, const SegmentName& b) {
  return a.sweep.key == b.sweep.key && a.slot == b.slot;
}
}  // namespace

bool PathStructure::repeat(Population& sweep, const RetainedPath& path, std::size_t number) {
  Stretch& to = stretches_[number];
  to.draws.clear();
  if (!sweep.repeat_stretch(path, number, &draws_, &to.log_density)) return false;
  for (std::size_t i = 0; i < draws_.size(); i += kDrawValues) to.draws.push_back(seen(&draws_[i]));
  draws_.clear();
  to.name = path.names[number];
  return true;
}

void PathStructure::take(Population& sweep, const RetainedPath& path, std::size_t number) {
  Stretch& to = stretches_[number];
  to.draws.clear();
  const ValueArray* const draws = path.draws_before(number);
  const std::size_t count = draw_count(draws);
  for (std::size_t i = 0; i < count; ++i) to.draws.push_back(seen(&draws->values[kDrawValues * i]));
  to.log_density = number < path.steps.size() ? path.steps[number]->log_prob : 0;
  if (count > 0) to.log_density += sweep.score_draws(path.last, draws->values, count);
}

std::optional<StructureKeys> PathStructure::read(Population& sweep, const RetainedPath& path,
                                                 bool recorded) {
  const std::size_t count = path.steps.size() + 1;
  if (unknown_ || sweep.outcome().estimated || (!recorded && path.names.size() != count)) {
    unknown_ = true;
    return std::nullopt;
  }
  const std::size_t known = stretches_.size();
  stretches_.resize(count);
  reader_.begin();
  log_density_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (recorded) {
      take(sweep, path, i);
    } else if (i >= known || !same_name(stretches_[i].name, path.names[i])) {
      if (!repeat(sweep, path, i)) {
        unknown_ = true;
        return std::nullopt;
      }
    }
    for (const StructureReader::SeenDraw& d : stretches_[i].draws) reader_.draw(d);
    log_density_ += stretches_[i].log_density;
  }
  return reader_.end();
}

}  // namespace chancel
