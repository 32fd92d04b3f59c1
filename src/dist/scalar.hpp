// SPDX-License-Identifier: Apache-2.0
// From a kernel on plain doubles to a DistType. A kernel is a small trivially copyable struct with
// the parameters and whatever is worth caching; this header wraps it for values, in four ways:
// construct (checks, then the kernel is kept in the object's numbers), sample/log_prob over the
// object, and sample_direct/log_prob_direct, which make the kernel on the stack. Both ways run the
// same kernel code, so they agree bit for bit. A kernel K has:
//
//   static constexpr const char* kName, *kDoc;  static constexpr Parameter kParameters[];
//   static constexpr DistSupport kSupport;  using Kind = RealKind | CountKind | IntegerKind | BoolKind;
//   explicit K(const double* parameters);          already checked
//   double sample(Stream&) const;  double log_prob(double x) const;   (no sample with kImproper)
//   void bounds(double* lower, double* upper) const;
// and may have
//   static constexpr bool kImproper = true;           the density has no finite integral
//   static Problem check(const double* parameters);   rules about several parameters
//   void gradient(double x, double* g) const ...      derivatives: see lanes.hpp
//   double average() const, variance() const, cdf(double) const, quantile(double) const;
//   double noise(double x) const, draw_with(double noise) const;   by closed forms: see DistType
//   double log_tail(double x) const;   log of the probability above x, where 1 - cdf loses digits
//   void cdf_gradient(double x, double* g) const;     d cdf(x) / d each parameter
//   double log_mass_at(double x) const;   log of the mass that draws have at exactly x because they
//                                         are clipped there; -inf elsewhere
//
// Caches that only log_prob needs cost sample_direct nothing: the functions that compute them are
// pure (log, and log_gamma of special.hpp), so the compiler drops them where they are not used.
#pragma once
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include "dist/lanes.hpp"
#include "dist/object.hpp"
#include "dist/parameters.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"
#include "math/special.hpp"
#include "random/stream.hpp"
#include "value/collections.hpp"

namespace chancel {

// What values a distribution gives and takes. The kernel sees doubles only.
struct RealKind {
  static constexpr bool kDiscrete = false;
  static bool read(const Value& v, double* x) { return read_number(v, x); }
  static Value make(double x) { return Value::real(x); }
};
// Counts: integers, also when they come as doubles (data files often do).
struct CountKind {
  static constexpr bool kDiscrete = true;
  static bool read(const Value& v, double* x) {
    if (v.is(Tag::Int)) {
      *x = static_cast<double>(v.i);
      return true;
    }
    *x = v.d;
    return v.is(Tag::Double) && v.d == std::floor(v.d) && std::fabs(v.d) <= kExactIntegers;
  }
  static Value make(double x) { return Value::integer(static_cast<std::int64_t>(x)); }
};
// Integers only: 1.0 is not a value of the distribution (but may be observed as one).
struct IntegerKind {
  static constexpr bool kDiscrete = true;
  static bool read(const Value& v, double* x) {
    *x = static_cast<double>(v.i);
    return v.is(Tag::Int);
  }
  static Value make(double x) { return Value::integer(static_cast<std::int64_t>(x)); }
};
struct BoolKind {
  static constexpr bool kDiscrete = true;
  static bool read(const Value& v, double* x) {
    *x = v.bits ? 1.0 : 0.0;
    return v.is(Tag::Bool);
  }
  static Value make(double x) { return Value::boolean(x != 0); }
};

// Draws stay between these two: beyond them a double loses digits or is not finite.
inline constexpr double kLeastDraw = std::numeric_limits<double>::min();
inline constexpr double kLargestDraw = std::numeric_limits<double>::max();
inline const double kLogLeastDraw = math::log(kLeastDraw);
inline const double kLogLargestDraw = math::log(kLargestDraw);

// d cdf / d location and d scale, from the density at x and z = (x - location) / scale.
inline void location_scale_gradient(double log_density, double z, double* location, double* scale) {
  *location = -math::exp(log_density);
  *scale = std::isfinite(z) ? z * *location : 0;
}

// A broken rule about several parameters: the sentence after "name: ", or null; and whom to blame.
struct Problem {
  const char* rule = nullptr;
  int argument = -1;
};

template <class K>
struct Scalar {
  static constexpr std::uint32_t kCount = std::size(K::kParameters);
  static constexpr std::size_t kNumbers = sizeof(K) / 8;
  static_assert(std::is_trivially_copyable_v<K> && (sizeof(K) % 8 == 0 || std::is_empty_v<K>));
  static constexpr bool kImproper = requires { K::kImproper; };

  static constexpr auto kNames = [] {
    std::array<const char*, kCount> names{};
    for (std::uint32_t i = 0; i < kCount; ++i) names[i] = K::kParameters[i].name;
    return names;
  }();

  static const K& kernel(const Dist* d) {
    return *std::launder(reinterpret_cast<const K*>(d->numbers()));
  }

  static Value construct(NativeContext& cx, const Value* args, std::uint32_t);
  static Value sample(NativeContext& cx, const Dist* d, Stream& stream) {
    if constexpr (kImproper)
      return fail_improper(cx, K::kName);
    else
      return K::Kind::make(kernel(d).sample(stream));
  }
  static double log_prob(const K& k, const Value& v) {
    double x;
    if (CHANCEL_UNLIKELY(!K::Kind::read(v, &x))) return kLogZero;
    return zero_if_nan(k.log_prob(x));
  }
  static double log_prob(NativeContext&, const Dist* d, const Value& v) {
    return log_prob(kernel(d), v);
  }

  static Fit fit(NativeContext&, const Dist* d, const Value& v) {
    double x;
    const double mass = K::Kind::read(v, &x) ? kernel(d).log_mass_at(x) : kLogZero;
    if (mass > kLogZero) return {mass, kPointMass};
    return {log_prob(kernel(d), v), kUsualPart};
  }

  static bool valid(const Value* args, std::uint32_t count, double* p) {
    if (count != kCount) return false;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      if (!read_number(args[i], p + i)) return false;
    }
    return valid_parameters<K>(p);
  }
  static bool sample_direct(const Value* args, std::uint32_t count, Stream& stream, Value* out) {
    double p[kCount + 1];
    if (CHANCEL_UNLIKELY(!valid(args, count, p))) return false;
    if constexpr (!kImproper) *out = K::Kind::make(K(p).sample(stream));
    return true;
  }
  static bool log_prob_direct(const Value* args, std::uint32_t count, const Value& x, double* out) {
    double p[kCount + 1];
    if (CHANCEL_UNLIKELY(!valid(args, count, p))) return false;
    *out = log_prob(K(p), x);
    return true;
  }

  static double average(const Dist* d) { return kernel(d).average(); }
  static double variance(const Dist* d) { return kernel(d).variance(); }
  static double cdf(const Dist* d, double x) { return kernel(d).cdf(x); }
  static double quantile(const Dist* d, double p) { return kernel(d).quantile(p); }
  static double noise(const Dist* d, double x) { return kernel(d).noise(x); }
  static double draw_with(const Dist* d, double noise) { return kernel(d).draw_with(noise); }
  static double log_tail(const Dist* d, double x) { return kernel(d).log_tail(x); }
  static void cdf_gradient(const Dist* d, double x, double* g) { kernel(d).cdf_gradient(x, g); }
  static void bounds(const Dist* d, double* lower, double* upper) {
    kernel(d).bounds(lower, upper);
  }
  // The integers or booleans between finite bounds; nil when there are more than a million.
  static Value enumerate(const Dist* d, Arena& arena) {
    double lower;
    double upper;
    kernel(d).bounds(&lower, &upper);
    if (!(upper - lower < 1e6)) return Value::nil();
    std::vector<Value> items;
    for (double x = lower; x <= upper; ++x) items.push_back(K::Kind::make(x));
    return make_vector(arena, items.data(), items.size());
  }

  static constexpr DistType type() {
    DistType t{};
    t.name = K::kName;
    t.parameter_names = kNames.data();
    t.parameter_count = kCount;
    t.support = K::kSupport;
    t.discrete = K::Kind::kDiscrete;
    t.doc = K::kDoc;
    t.construct = construct;
    t.sample = sample;
    t.log_prob = log_prob;
    if constexpr (requires(const K& k) { k.average(); }) t.mean = average;
    if constexpr (requires(const K& k) { k.variance(); }) t.variance = variance;
    if constexpr (requires(const K& k) { k.cdf(0.0); }) t.cdf = cdf;
    if constexpr (requires(const K& k) { k.quantile(0.5); }) t.quantile = quantile;
    if constexpr (requires(const K& k) { k.noise(0.0); }) {
      t.noise = noise;
      t.draw_with = draw_with;
    }
    if constexpr (requires(const K& k) { k.log_tail(0.0); }) t.log_tail = log_tail;
    if constexpr (requires(const K& k, double* g) { k.cdf_gradient(0.0, g); }) {
      t.cdf_gradient = cdf_gradient;
    }
    t.bounds = bounds;
    if constexpr (K::kSupport == DistSupport::FiniteIntegers ||
                  K::kSupport == DistSupport::Booleans) {
      t.enumerate = enumerate;
    }
    if constexpr (requires(const K& k) { k.log_mass_at(0.0); }) t.fit = fit;
    t.improper = kImproper;
    t.sample_direct = kImproper ? nullptr : sample_direct;
    t.log_prob_direct = log_prob_direct;
    if constexpr (requires(const K& k, double* g) { k.gradient(0.0, g); }) {
      t.density = &Lanes<K>::kDensity;
    }
    return t;
  }
};

// The one DistType of a kernel; src/dist/registry.cpp lists them.
template <class K>
inline constexpr DistType scalar_type = Scalar<K>::type();

template <class K>
Value Scalar<K>::construct(NativeContext& cx, const Value* args, std::uint32_t) {
  double p[kCount + 1];
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (!read_parameter(cx, K::kName, K::kParameters[i], static_cast<int>(i), args[i], p + i)) {
      return Value::nil();
    }
  }
  if constexpr (requires { K::check(p); }) {
    const Problem problem = K::check(p);
    if (problem.rule) {
      return fail_together(cx, K::kName, problem.rule, args, kCount, problem.argument);
    }
  }
  Dist* d = make_dist(*cx.arena, &scalar_type<K>, kCount, kNumbers);
  for (std::uint32_t i = 0; i < kCount; ++i) d->values[i] = args[i];
  new (static_cast<void*>(d->numbers())) K(p);
  return Value::object(d);
}

// The approximate p-quantile of a discrete distribution (Cornish & Fisher 1938), from which
// integer_quantile starts.
inline double rough_quantile(double p, double mean, double sd, double skewness) {
  const double z = normal_quantile(p);
  return mean + sd * (z + skewness * (z * z - 1) / 6) + 0.5;
}

// x from p by bisection over the integers of [lower, upper]: the smallest x with cdf(x) >= p. For
// discrete kernels whose quantile has no closed form; `guess` starts an exponential search.
template <class K>
double integer_quantile(const K& k, double p, double lower, double upper, double guess) {
  if (p <= 0) return lower;
  if (p >= 1) return upper;
  double low = lower - 1;  // cdf(low) < p
  double high = std::fmin(std::fmax(std::floor(guess), lower), upper);
  for (double step = 1; k.cdf(high) < p; step *= 2) {
    low = high;
    if (high >= upper) return upper;
    high = std::fmin(high + step, upper);
  }
  for (double step = 1, at = high - 1; at > low; step *= 2, at -= step) {
    if (k.cdf(at) < p) {
      low = at;
      break;
    }
    high = at;
  }
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (k.cdf(middle) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace chancel
