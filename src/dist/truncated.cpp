// SPDX-License-Identifier: Apache-2.0
// (truncated dist lower upper): the distribution of numbers given that they lie in [lower, upper];
// either bound may be infinite. Draws invert the distribution function inside the interval.
#include "dist/base_distribution.hpp"
#include "dist/object.hpp"
#include "math/elementary.hpp"
#include "random/stream.hpp"

namespace chancel {
extern const DistType* const truncated_dist;
namespace {

extern const DistType* const discrete_type;
constexpr const char* kName = "truncated";
constexpr const char* kNames[] = {"dist", "lower", "upper"};

// numbers: the bounds, the log of the probability between them.
double lower_of(const Dist* d) { return d->numbers()[0]; }
double upper_of(const Dist* d) { return d->numbers()[1]; }
double log_mass(const Dist* d) { return d->numbers()[2]; }

Value construct(NativeContext& cx, const Value* args, std::uint32_t) {
  if (!is_number_distribution(args[0]) || !args[0].as<Dist>()->type->cdf) {
    return fail_type(cx, kName, "dist", "a distribution of numbers that has a cdf", args[0], 0);
  }
  double lower;
  double upper;
  if (!read_parameter(cx, kName, {"lower", Rule::Bound}, 1, args[1], &lower) ||
      !read_parameter(cx, kName, {"upper", Rule::Bound}, 2, args[2], &upper)) {
    return Value::nil();
  }
  const auto* base = args[0].as<Dist>();
  if (!(lower < upper)) {
    return fail_together(cx, kName, "lower must be below upper", args, 3, 2);
  }
  const double mass = log_between(base, lower, upper);
  if (!(mass > kLogZero)) {
    return fail_together(cx, kName, "dist must have some probability between the bounds", args, 3,
                         0);
  }
  Dist* d = make_dist(*cx.arena, base->type->discrete ? discrete_type : truncated_dist, 3, 3);
  std::copy(args, args + 3, d->values);
  d->numbers()[0] = lower;
  d->numbers()[1] = upper;
  d->numbers()[2] = mass;
  return Value::object(d);
}

void bounds(const Dist* d, double* lower, double* upper) {
  const Dist* base = base_of(d);
  base->type->bounds(base, lower, upper);
  const bool whole = base->type->discrete;
  *lower = std::fmax(*lower, whole ? std::ceil(lower_of(d)) : lower_of(d));
  *upper = std::fmin(*upper, whole ? std::floor(upper_of(d)) : upper_of(d));
}
double cdf(const Dist* d, double x) {
  double lower;
  double upper;
  bounds(d, &lower, &upper);
  if (!(x >= lower)) return 0;
  if (x >= upper) return 1;
  return math::exp(log_between(base_of(d), lower, x) - log_mass(d));
}

// The least x with cdf(x) >= p, inside an interval whose ends are widened from a finite point.
double quantile(const Dist* d, double p) {
  double low;
  double high;
  bounds(d, &low, &high);
  const bool whole = base_of(d)->type->discrete;
  if (!std::isfinite(low)) {
    low = std::fmin(-1, std::isfinite(high) ? high - 1 : -1);
    while (cdf(d, low) >= p && low > -1e300) low *= 2;
  }
  if (!std::isfinite(high)) {
    high = std::fmax(1, low + 1);
    while (cdf(d, high) < p && high < 1e300) high *= 2;
  }
  if (whole) {
    while (low < high) {
      const double middle = std::floor(low + (high - low) / 2);
      if (cdf(d, middle) >= p)
        high = middle;
      else
        low = middle + 1;
    }
    return high;
  }
  // Regula falsi in the Illinois form; halving where that takes too long.
  double at_low = cdf(d, low) - p;
  double at_high = cdf(d, high) - p;
  for (int i = 1; i < 200 && at_low < 0 && at_high > 0; ++i) {
    const double share = i > 20 ? 0.5 : at_low / (at_low - at_high);
    const double x = low + (high - low) * share;
    if (x <= low || x >= high) break;
    const double at_x = cdf(d, x) - p;
    if (std::fabs(at_x) < 1e-14) return x;  // as fine as uniforms are
    if (at_x < 0) {
      low = x, at_low = at_x, at_high /= 2;
    } else {
      high = x, at_high = at_x, at_low /= 2;
    }
  }
  return high;
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  const Dist* base = base_of(d);
  if (base->type->improper) return fail_improper(cx, base->type->name);
  // Most of the mass is inside: take the first draw that is.
  if (log_mass(d) > -0.7) {
    for (;;) {
      const Value v = base->type->sample(cx, base, stream);
      if (!cx.ok()) return Value::nil();
      const double x = to_double(v);
      if (x >= lower_of(d) && x <= upper_of(d)) return v;
    }
  }
  // In the upper tail the base's quantile would have lost its digits.
  const double u = stream.uniform_open();
  const bool whole = base->type->discrete;
  const double below = cdf_at(base, whole ? std::ceil(lower_of(d)) - 1 : lower_of(d));
  double low;
  double high;
  bounds(d, &low, &high);
  const double x = base->type->quantile && below < 0.5
                       ? base->type->quantile(base, below + u * math::exp(log_mass(d)))
                       : quantile(d, u);
  const double inside = std::fmin(std::fmax(x, low), high);
  return whole ? Value::integer(static_cast<std::int64_t>(inside)) : Value::real(inside);
}
double log_prob(NativeContext& cx, const Dist* d, const Value& v) {
  double x;
  if (!read_number(v, &x) || !(x >= lower_of(d) && x <= upper_of(d))) return kLogZero;
  return base_of(d)->type->log_prob(cx, base_of(d), v) - log_mass(d);
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_base(args[0], out) && collect_number(args[1], out) && collect_number(args[2], out);
}
// The base, the bounds, then x.
void gradient(NativeContext& cx, const Dist* d, const Value& x, double* out) {
  const Dist* base = base_of(d);
  const std::uint32_t n = base->type->parameter_count;
  std::vector<double> of_mass(n);
  if (base->type->cdf_gradient && !base->type->discrete) {
    std::vector<double> at_lower(n);
    base->type->cdf_gradient(base, upper_of(d), of_mass.data());
    base->type->cdf_gradient(base, lower_of(d), at_lower.data());
    for (std::uint32_t i = 0; i < n; ++i) {
      of_mass[i] = (of_mass[i] - at_lower[i]) * math::exp(-log_mass(d));
    }
  } else {
    differentiate_base(
        cx, base, [&](const Dist* b) { return log_between(b, lower_of(d), upper_of(d)); },
        of_mass.data());
  }
  const auto at_bound = [&](double bound) {
    if (base->type->discrete) return 0.0;
    return math::exp(base->type->log_prob(cx, base, Value::real(bound)) - log_mass(d));
  };
  base_gradient(base, x, out);
  const double in_x = out[n];
  for (std::uint32_t i = 0; i < n; ++i) out[i] -= of_mass[i];
  out[n] = at_bound(lower_of(d));
  out[n + 1] = -at_bound(upper_of(d));
  out[n + 2] = in_x;
}
std::size_t size(const Dist*) { return 1; }
constexpr WideDensity kDensity{parameters, collect_number, gradient, size};
constexpr WideDensity kDiscreteDensity{parameters, collect_nothing, gradient, no_numbers};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 3;
  t.support = DistSupport::Interval;
  t.doc = "A distribution of numbers, given that they lie from lower to upper.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.cdf = cdf;
  t.quantile = quantile;
  t.bounds = bounds;
  t.wide_density = &kDensity;
  return t;
}();
// Of integers.
constexpr DistType kDiscreteType = [] {
  DistType t = kType;
  t.support = DistSupport::Integers;
  t.discrete = true;
  t.wide_density = &kDiscreteDensity;
  return t;
}();
const DistType* const discrete_type = &kDiscreteType;

}  // namespace

const DistType* const truncated_dist = &kType;

}  // namespace chancel
