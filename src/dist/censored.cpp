// SPDX-License-Identifier: Apache-2.0
// (censored dist lower upper): a number of which it is only known when it lies outside (lower, upper)
// on which side: draws are moved to the bound. A value at a bound, or beyond, has the probability of
// all on that side; one inside has the density. (observe (censored d ##-Inf t) t) is a lifetime that
// had not ended at t.
#include "dist/base_distribution.hpp"
#include "dist/object.hpp"
#include "math/elementary.hpp"

namespace chancel {
extern const DistType* const censored_dist;
namespace {

constexpr const char* kName = "censored";
constexpr const char* kNames[] = {"dist", "lower", "upper"};

// numbers: the bounds.
double lower_of(const Dist* d) { return d->numbers()[0]; }
double upper_of(const Dist* d) { return d->numbers()[1]; }
// P(X >= upper) is that above the value before it.
double before_upper(const Dist* d) {
  return base_of(d)->type->discrete ? std::ceil(upper_of(d)) - 1 : upper_of(d);
}

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
  if (!(lower < upper)) {
    return fail_together(cx, kName, "lower must be below upper", args, 3, 2);
  }
  Dist* d = make_dist(*cx.arena, censored_dist, 3, 2);
  std::copy(args, args + 3, d->values);
  d->numbers()[0] = lower;
  d->numbers()[1] = upper;
  return Value::object(d);
}

Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
  const Value v = base_of(d)->type->sample(cx, base_of(d), stream);
  if (!cx.ok()) return Value::nil();
  const double x = to_double(v);
  if (x <= lower_of(d)) return value_at(d, 1);
  return x >= upper_of(d) ? value_at(d, 2) : v;
}

double log_prob(NativeContext& cx, const Dist* d, const Value& v) {
  double x;
  if (!read_number(v, &x) || std::isnan(x)) return kLogZero;
  if (x <= lower_of(d)) return log_below(base_of(d), lower_of(d));
  if (x >= upper_of(d)) return log_above(base_of(d), before_upper(d));
  return base_of(d)->type->log_prob(cx, base_of(d), v);
}
Fit fit(NativeContext& cx, const Dist* d, const Value& v) {
  double x = 0;
  const bool outside = read_number(v, &x) && (x <= lower_of(d) || x >= upper_of(d));
  const double score = log_prob(cx, d, v);
  return {score, outside && score > kLogZero ? kPointMass : kUsualPart};
}
void bounds(const Dist* d, double* lower, double* upper) {
  base_of(d)->type->bounds(base_of(d), lower, upper);
  *lower = std::fmax(*lower, lower_of(d));
  *upper = std::fmin(*upper, upper_of(d));
}

bool parameters(const Value* args, std::uint32_t, std::vector<Value>* out) {
  return collect_base(args[0], out) && collect_number(args[1], out) && collect_number(args[2], out);
}
// The base, the bounds, then x.
void gradient(NativeContext& cx, const Dist* d, const Value& v, double* out) {
  const Dist* base = base_of(d);
  const std::uint32_t n = base->type->parameter_count;
  double x = 0;
  read_number(v, &x);
  out[n] = out[n + 1] = out[n + 2] = 0;
  const bool low = x <= lower_of(d);
  if (!low && x < upper_of(d)) {
    base_gradient(base, v, out);
    std::swap(out[n], out[n + 2]);
    return;
  }
  // The probability of this side moves with the base and with its bound.
  const double bound = low ? lower_of(d) : before_upper(d);
  const double mass = low ? log_below(base, bound) : log_above(base, bound);
  const double sign = low ? 1 : -1;
  if (base->type->cdf_gradient && !base->type->discrete) {
    base->type->cdf_gradient(base, bound, out);
    for (std::uint32_t i = 0; i < n; ++i) out[i] *= sign * math::exp(-mass);
  } else {
    differentiate_base(
        cx, base, [&](const Dist* b) { return low ? log_below(b, bound) : log_above(b, bound); },
        out);
  }
  if (base->type->discrete) return;
  out[low ? n : n + 1] =
      sign * math::exp(base->type->log_prob(cx, base, Value::real(bound)) - mass);
}
std::size_t size(const Dist*) { return 1; }
constexpr WideDensity kDensity{parameters, collect_number, gradient, size};

constexpr DistType kType = [] {
  DistType t{};
  t.name = kName;
  t.parameter_names = kNames;
  t.parameter_count = 3;
  t.support = DistSupport::Other;
  t.doc = "Numbers that are known up to the bounds only: draws beyond them are moved there.";
  t.construct = construct;
  t.sample = sample;
  t.log_prob = log_prob;
  t.bounds = bounds;
  t.fit = fit;
  t.wide_density = &kDensity;
  return t;
}();

}  // namespace

const DistType* const censored_dist = &kType;

}  // namespace chancel
