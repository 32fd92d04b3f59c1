// SPDX-License-Identifier: Apache-2.0
// What a distribution or process is to the VM and the engines: a table of functions over a Dist
// object. The tables live in dist/, one file per distribution; this header only says what is in
// them, so that vm and dist do not depend on each other.
#pragma once
#include <cstdint>

#include "value/density.hpp"
#include "value/heap.hpp"
#include "value/native.hpp"
#include "value/object.hpp"

namespace chancel {

class Stream;

enum class DistSupport : std::uint8_t {
  Real,
  Positive,
  NonNegative,
  UnitInterval,
  Interval,
  Integers,
  NonNegativeIntegers,
  FiniteIntegers,
  Booleans,
  FiniteValues,
  Simplex,
  RealVector,
  OrderedVector,  // increasing
  PositiveDefiniteMatrix,
  CorrelationMatrix,
  CorrelationCholesky,  // the lower triangular factor of one
  Point,
  Other
};

// How well a value fits a distribution, so that distributions can be compared at one value: the log
// density with respect to the measure of the part of the distribution that the value belongs to.
// Densities of different parts cannot be compared: a point that carries mass outweighs any density.
struct Fit {
  double log_prob;
  std::uint64_t part;  // kUsualPart, kPointMass, or what a distribution with more parts makes up
};
// What log_prob scores: a density, or the mass of discrete distributions.
inline constexpr std::uint64_t kUsualPart = 0;
// A point of a continuous distribution that draws hit with positive probability.
inline constexpr std::uint64_t kPointMass = 1;

struct DistType {
  const char* name;  // the constructor's name in programs
  // Names of the first `parameter_count` values: (:mean d) reads them.
  const char* const* parameter_names;
  std::uint32_t parameter_count;
  DistSupport support;
  bool discrete;  // log_prob is a probability mass
  const char* doc;

  // Checks the parameters and builds the object (or fails in cx). Used by the constructor native.
  Value (*construct)(NativeContext& cx, const Value* args, std::uint32_t count);
  // Draws with `stream` into cx.arena; or fails in cx.
  Value (*sample)(NativeContext& cx, const Dist* d, Stream& stream);
  // Natural log of the density or mass; -inf outside the support (also for values of another type).
  // Never NaN, but after a failure in cx.
  double (*log_prob)(NativeContext& cx, const Dist* d, const Value& x);

  // Any of these may be null when there is no closed form.
  double (*mean)(const Dist* d);
  double (*variance)(const Dist* d);
  double (*cdf)(const Dist* d, double x);
  double (*quantile)(const Dist* d, double p);
  // The standard normal number at the rank of x (single_site/noise.hpp), and back; null: nothing better than
  // by way of cdf and quantile.
  double (*noise)(const Dist* d, double x);
  double (*draw_with)(const Dist* d, double noise);
  // The log of the probability above x; null: nothing better than log(1 - cdf).
  double (*log_tail)(const Dist* d, double x);
  // d cdf(x) / d each parameter.
  void (*cdf_gradient)(const Dist* d, double x, double* out);
  // Bounds of the support for numeric univariate distributions: [lower, upper].
  void (*bounds)(const Dist* d, double* lower, double* upper);
  // The values of a finite support as a vector, or nil if it is infinite.
  Value (*enumerate)(const Dist* d, Arena& arena);

  // Shortcuts for `(sample (name args))` and `(observe (name args) x)` without building an object.
  // Both return false when the arguments are not plain valid numbers; the caller then takes the
  // general way, which gives the error message.
  bool (*sample_direct)(const Value* args, std::uint32_t count, Stream& stream, Value* out);
  bool (*log_prob_direct)(const Value* args, std::uint32_t count, const Value& x, double* out);

  // For distributions with more than one part: end points to which draws are clipped, earlier
  // values of a Dirichlet process. Null: all values are of the usual part. (observe always uses
  // log_prob.)
  Fit (*fit)(NativeContext& cx, const Dist* d, const Value& x) = nullptr;

  // log_prob is a random estimate, another one at each call: it can weigh an observe, but not tell
  // how a kept value fits.
  bool estimated = false;

  // The density has no finite integral: `sample` fails, and sample_direct is null.
  bool improper = false;

  // For recorded programs; at most one of them. Null: recordings treat the distribution as
  // unknown.
  const Density* density = nullptr;
  const WideDensity* wide_density = nullptr;
};

struct ProcessType {
  const char* name;
  const char* const* parameter_names;
  std::uint32_t parameter_count;
  const char* doc;
  Value (*construct)(NativeContext& cx, const Value* args, std::uint32_t count);
  Value (*produce)(NativeContext& cx, const Process* p);                 // a Dist
  Value (*absorb)(NativeContext& cx, const Process* p, const Value& x);  // a new Process
};

}  // namespace chancel
