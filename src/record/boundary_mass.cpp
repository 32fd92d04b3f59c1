// SPDX-License-Identifier: Apache-2.0
// See boundary_mass.hpp.
#include "record/boundary_mass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "value/number.hpp"

namespace chancel {

namespace {

// Whether the distribution with these parameters exists, and piles up or not as `wanted`.
bool agrees(NativeContext& cx, const Dist* distribution, const std::vector<Value>& parameters,
            bool wanted) {
  const Value made = distribution->type->construct(cx, parameters.data(),
                                                   static_cast<std::uint32_t>(parameters.size()));
  if (cx.status == NativeContext::Status::Failed) {
    cx.status = NativeContext::Status::Ok;
    return false;
  }
  return cx.ok() && has_boundary_mass(made.as<Dist>()) == wanted;
}

}  // namespace

bool may_have_boundary_mass(const DistType& type) {
  return !type.discrete && type.fit && type.cdf && type.bounds;
}

bool has_boundary_mass(const Dist* d) {
  constexpr double kNotable = 1e-6;
  const DistType& type = *d->type;
  if (!may_have_boundary_mass(type)) return false;
  double lower, upper;
  type.bounds(d, &lower, &upper);
  if (lower == 0 && type.cdf(d, std::numeric_limits<double>::min()) > kNotable) return true;
  const double last =
      std::isfinite(upper) ? std::nextafter(upper, lower) : std::numeric_limits<double>::max();
  return 1 - type.cdf(d, last) > kNotable;
}

std::optional<std::vector<ParameterRange>> boundary_mass_box(NativeContext& cx, const Dist* given,
                                                             const Dist* present) {
  const std::vector<Value> now(present->values, present->values + present->type->parameter_count);
  const bool wanted = has_boundary_mass(present);
  std::vector<std::uint32_t> moving;
  for (std::uint32_t i = 0; i < now.size(); ++i)
    if (given->values[i].is(Tag::Node)) moving.push_back(i);
  for (const double size : {1000.0, 30.0, 5.0, 1.5, 1.05}) {
    std::vector<ParameterRange> box;
    for (const std::uint32_t i : moving) {
      const double x = to_double(now[i]);
      const double width = (size - 1) * std::max(1.0, std::fabs(x));
      std::vector<Value> lower = now;
      lower[i] = Value::real(x - width);
      // A parameter that must be positive has no such lower end.
      box.push_back(
          {i, x > 0 && !agrees(cx, present, lower, wanted) ? x / size : x - width, x + width});
    }
    bool same = true;
    for (std::size_t corner = 0; same && corner < std::size_t{1} << box.size(); ++corner) {
      std::vector<Value> at = now;
      for (std::size_t k = 0; k < box.size(); ++k)
        at[box[k].parameter] = Value::real(corner >> k & 1 ? box[k].upper : box[k].lower);
      same = agrees(cx, present, at, wanted);
    }
    if (same) return box;
  }
  return std::nullopt;
}

}  // namespace chancel
