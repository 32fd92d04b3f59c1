// SPDX-License-Identifier: Apache-2.0
// (uniform-continuous min max), also under its short name (uniform min max). The density holds on
// the closed interval; draws lie in [min, max).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct UniformContinuous {
  static constexpr const char* kName = "uniform-continuous";
  static constexpr const char* kDoc = "Uniform distribution on the interval from min to max.";
  static constexpr Parameter kParameters[] = {{"min", Rule::Finite}, {"max", Rule::Finite}};
  static constexpr DistSupport kSupport = DistSupport::Interval;
  using Kind = RealKind;
  static Problem check(const double* p) {
    if (!(p[0] < p[1])) return {"min must be below max", 1};
    if (!(p[1] - p[0] < kInfinity)) return {"max - min must be finite", 1};
    return {};
  }

  double min, max, log_density;
  explicit UniformContinuous(const double* p)
      : min(p[0]), max(p[1]), log_density(-math::log(max - min)) {}

  double sample(Stream& stream) const {
    const double x = min + (max - min) * stream.uniform();
    return x < max ? x : min;  // rounding may reach max
  }
  double log_prob(double x) const { return x >= min && x <= max ? log_density : kLogZero; }
  static constexpr int kLower = 0, kUpper = 1;
  void gradient(double, double* g) const {
    g[0] = 0;
    g[1] = 1 / (max - min);
    g[2] = -g[1];
  }
  double average() const { return min + (max - min) / 2; }
  double variance() const { return (max - min) * (max - min) / 12; }
  double cdf(double x) const { return x <= min ? 0 : x >= max ? 1 : (x - min) / (max - min); }
  double quantile(double p) const { return p >= 1 ? max : min + p * (max - min); }
  void bounds(double* lower, double* upper) const { *lower = min, *upper = max; }
};

struct Uniform : UniformContinuous {
  static constexpr const char* kName = "uniform";
  using UniformContinuous::UniformContinuous;
};

}  // namespace

extern const DistType* const uniform_continuous_dist;
const DistType* const uniform_continuous_dist = &scalar_type<UniformContinuous>;
extern const DistType* const uniform_dist;
const DistType* const uniform_dist = &scalar_type<Uniform>;

}  // namespace chancel
