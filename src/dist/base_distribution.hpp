// SPDX-License-Identifier: Apache-2.0
// The distribution of numbers that another one is made from: (truncated (normal 0 1) 0 3). It is the
// first value of the object. Its parameters are differentiated through its own density, and through
// its distribution function.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "dist/parameters.hpp"
#include "dist/wide.hpp"
#include "math/elementary.hpp"
#include "math/log_space.hpp"

namespace chancel {

inline const Dist* base_of(const Dist* d) { return d->values[0].as<Dist>(); }

inline bool is_number_distribution(const Value& v) {
  return v.is(Tag::Dist) && v.as<Dist>()->type->bounds && v.as<Dist>()->type->log_prob;
}

// Numbers or nodes that the base was made with; a recorded distribution has its parameters, too.
// False: a distribution without derivatives.
inline bool collect_base(const Value& base, std::vector<Value>* out) {
  if (!base.is(Tag::Dist)) return false;
  const auto* d = base.as<Dist>();
  const bool recorded = d->type->construct == nullptr;
  if (!recorded && !d->type->density) return false;
  for (std::uint32_t i = 0; i < d->value_count; ++i) {
    if (!collect_number(d->values[i], out)) return false;
  }
  return true;
}

// d log_prob(x) / d each parameter of the base, then d x.
inline void base_gradient(const Dist* base, const Value& x, double* out) {
  const std::uint32_t n = base->type->parameter_count;
  double number = 0;
  base->type->density->read(x, &number);
  std::vector<double> p(n);
  std::vector<Lane> lanes(n);
  std::vector<AdjointLane> adjoints(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    read_number(base->values[i], &p[i]);
    lanes[i] = {&p[i], 0};
    adjoints[i] = {out + i, 0};
  }
  std::fill_n(out, n + 1, 0.0);
  const double one = 1;
  base->type->density->gradient(lanes.data(), {&number, 0}, &one, 1, adjoints.data(), {out + n, 0});
}

// P(X <= x), for infinite x too; its logarithm, and that of P(X > x).
inline double cdf_at(const Dist* d, double x) {
  return std::isinf(x) ? (x > 0 ? 1 : 0) : d->type->cdf(d, x);
}
inline double log_below(const Dist* d, double x) { return math::log(cdf_at(d, x)); }
inline double log_above(const Dist* d, double x) {
  if (std::isinf(x) || !d->type->log_tail) return math::log1p(-cdf_at(d, x));
  return d->type->log_tail(d, x);
}
// log P(lower <= X <= upper). Integers have mass at the lower end, too.
inline double log_between(const Dist* d, double lower, double upper) {
  const double before = d->type->discrete ? std::ceil(lower) - 1 : lower;
  const double below = cdf_at(d, before);
  if (below < 0.5) return math::log(cdf_at(d, upper) - below);
  return log_subtract(log_above(d, before), log_above(d, upper));
}

// d f / d each parameter of the base, where f is a function of the base that its distribution
// function determines: by central differences of fourth order. For parameters that are scales and
// shapes; distributions with a location differentiate their distribution function themselves.
template <class F>
void differentiate_base(NativeContext& cx, const Dist* base, F f, double* out) {
  const std::uint32_t n = base->type->parameter_count;
  for (std::uint32_t j = 0; j < n; ++j) {
    double at;
    read_number(base->values[j], &at);
    const double h = 1e-4 * (at == 0 ? 1 : std::fabs(at));
    const auto moved = [&](double by) {
      std::vector<Value> args(base->values, base->values + n);
      args[j] = Value::real(at + by);
      NativeContext quiet(*cx.arena);
      const Value v = base->type->construct(quiet, args.data(), n);
      return quiet.ok() ? f(v.as<Dist>()) : std::nan("");
    };
    const double slope = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    out[j] = std::isnan(slope) ? 0 : slope;  // a whole number, which does not move
  }
}

}  // namespace chancel
