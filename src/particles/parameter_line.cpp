// SPDX-License-Identifier: Apache-2.0
#include "particles/parameter_line.hpp"

#include <cmath>

#include "infer/rescoring.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "value/dist_object.hpp"

namespace chancel {

namespace {

bool has_bounds(const DrawnValue& d) {
  return is_on_line(d.dist, d.value) && d.dist.as<Dist>()->type->bounds;
}

double to_line(double x, double lower, double upper) {
  const bool above = std::isfinite(lower), below = std::isfinite(upper);
  if (above && below) return math::log((x - lower) / (upper - x));
  if (above) return math::log(x - lower);
  return below ? -math::log(upper - x) : x;
}

// And the log of the derivative.
double from_line(double q, double lower, double upper, double* log_slope) {
  const bool above = std::isfinite(lower), below = std::isfinite(upper);
  if (above && below) {
    *log_slope = math::log(upper - lower) - std::abs(q) - 2 * math::log1p(math::exp(-std::abs(q)));
    return q < 0 ? lower + (upper - lower) * (math::exp(q) / (1 + math::exp(q)))
                 : upper - (upper - lower) * (math::exp(-q) / (1 + math::exp(-q)));
  }
  *log_slope = above ? q : below ? -q : 0;
  return above ? lower + math::exp(q) : below ? upper - math::exp(-q) : q;
}

}  // namespace

void ParameterLine::begin(const GivenParameters& given) {
  places_.clear();
  others_.clear();
  clipped_.clear();
  for (std::size_t i = 0; i < given.draws.size(); ++i) {
    const DrawnValue& d = given.draws[i];
    if (!has_bounds(d)) {
      others_.push_back(i);
      continue;
    }
    if (d.dist.as<Dist>()->type->fit) clipped_.push_back(i);
    Place& p = places_.emplace_back(Place{i, 0, 0});
    d.dist.as<Dist>()->type->bounds(d.dist.as<Dist>(), &p.lower, &p.upper);
  }
}

Eigen::VectorXd ParameterLine::coordinates(const GivenParameters& given) const {
  Eigen::VectorXd q(dimension());
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const Place& p = places_[static_cast<std::size_t>(k)];
    q[k] = to_line(given.draws[p.parameter].value.d, p.lower, p.upper);
  }
  return q;
}

double ParameterLine::set(const Eigen::VectorXd& q, GivenParameters* given) const {
  double sum = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const Place& p = places_[static_cast<std::size_t>(k)];
    double log_slope = 0;
    const double x = from_line(q[k], p.lower, p.upper, &log_slope);
    if (!std::isfinite(x) || x <= p.lower || x >= p.upper) return kLogZero;
    given->draws[p.parameter].value = Value::real(x);
    sum += log_slope;
  }
  return sum;
}

double ParameterLine::log_jacobian(const GivenParameters& given) const {
  const Eigen::VectorXd q = coordinates(given);
  double sum = 0, log_slope = 0;
  for (Eigen::Index k = 0; k < q.size(); ++k) {
    const Place& p = places_[static_cast<std::size_t>(k)];
    from_line(q[k], p.lower, p.upper, &log_slope);
    sum += log_slope;
  }
  return sum;
}

std::size_t ParameterLine::moved_bounds(const GivenParameters& given) const {
  for (const Place& p : places_) {
    const DrawnValue& d = given.draws[p.parameter];
    double lower = NAN, upper = NAN;
    if (has_bounds(d)) d.dist.as<Dist>()->type->bounds(d.dist.as<Dist>(), &lower, &upper);
    if (lower != p.lower || upper != p.upper) return p.parameter;
  }
  return given.draws.size();
}

}  // namespace chancel
