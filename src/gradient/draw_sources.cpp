// SPDX-License-Identifier: Apache-2.0
// See draw_sources.hpp.
#include "gradient/draw_sources.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "record/boundary_mass.hpp"

namespace chancel {

namespace {
// The point of the distribution's support at this place of the real line.
double point_of(const Dist* d, double q) {
  double lower, upper;
  d->type->bounds(d, &lower, &upper);
  if (std::isfinite(lower) && std::isfinite(upper))
    return lower + (upper - lower) / (1 + math::exp(-q));
  if (std::isfinite(lower)) return lower + math::exp(q);
  return std::isfinite(upper) ? upper - math::exp(q) : q;
}
}  // namespace

DrawSource::Answer FreshDraws::answer(NativeContext& cx, const Question& q, double* coordinates,
                                      Value* value) {
  const bool from_prior =
      reach_ == 0 && !(q.dist.is(Tag::Dist) && q.dist.as<Dist>()->type->improper);
  if (q.inputs > 0 && !from_prior) {
    const double reach = reach_ > 0 ? reach_ : 2;
    for (std::uint32_t i = 0; i < q.inputs; ++i)
      coordinates[i] = reach * (2 * stream_.uniform() - 1);
    return Answer::Coordinates;
  }
  if (q.drawn) {
    *value = *q.drawn;
    return Answer::Value;
  }
  const auto* d = q.dist.as<Dist>();
  // A draw from a distribution as wide as (gamma 0.001 0.001) is often far beyond what the data
  // allow, and single steps take long to come back.
  if (reach_ > 0 && has_boundary_mass(d)) {
    *value = Value::real(point_of(d, reach_ * (2 * stream_.uniform() - 1)));
    return Answer::Value;
  }
  *value = d->type->sample(cx, d, stream_);
  return cx.ok() ? Answer::Value : Answer::Failed;
}

DrawSource::Answer ListedDraws::answer(NativeContext&, const Question& q, double*, Value* value) {
  if (next_ >= draws_.size()) return Answer::Elsewhere;
  const DrawnValue& d = draws_[next_++];
  if (!same_address(d, q)) return Answer::Elsewhere;
  *value = d.value;
  return Answer::Value;
}

DrawSource::Answer DrawsAtCoordinates::answer(NativeContext& cx, const Question& q,
                                              double* coordinates, Value* value) {
  if (next_ >= observed_) {  // predictive: any value will do
    if (next_ < structure_.size() && structure_[next_].inputs == 0 &&
        same_address(structure_[next_], q)) {
      *value = structure_[next_++].held;
      return Answer::Held;
    }
    next_ = structure_.size();
    if (q.drawn) {
      *value = *q.drawn;
      return Answer::Held;
    }
    *value = q.dist.as<Dist>()->type->sample(cx, q.dist.as<Dist>(), any_);
    return cx.ok() ? Answer::Held : Answer::Failed;
  }
  const StructureDraw& place = structure_[next_++];
  if (place.inputs != q.inputs || !same_address(place, q)) {
    piled_up_ = q.inputs == 0 && same_address(place, q) && q.dist.is(Tag::Dist) &&
                has_boundary_mass(q.dist.as<Dist>());
    return Answer::Elsewhere;
  }
  if (q.inputs == 0) {
    *value = place.held;
    return Answer::Value;
  }
  std::copy_n(at_, q.inputs, coordinates);
  at_ += q.inputs;
  return Answer::Coordinates;
}

}  // namespace chancel
