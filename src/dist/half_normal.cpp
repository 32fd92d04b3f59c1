// SPDX-License-Identifier: Apache-2.0
// (half-normal sd): the absolute value of a normal with mean 0.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"

namespace chancel {
namespace {

struct HalfNormal {
  static constexpr const char* kName = "half-normal";
  static constexpr const char* kDoc = "The absolute value of a normal variable with mean 0.";
  static constexpr Parameter kParameters[] = {{"sd", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;

  double sd, log_scale;
  explicit HalfNormal(const double* p)
      : sd(p[0]), log_scale(kLogTwo - kLogSqrtTwoPi - math::log(sd)) {}

  double sample(Stream& stream) const { return sd * std::fabs(stream.normal()); }
  double log_prob(double x) const {
    const double z = x / sd;
    return x >= 0 ? log_scale - 0.5 * z * z : kLogZero;
  }
  void gradient(double x, double* g) const {
    const double z = x / sd;
    g[0] = -z / sd;
    g[1] = (z * z - 1) / sd;
  }
  double average() const { return sd * std::sqrt(2 / kPi); }
  double variance() const { return sd * sd * (1 - 2 / kPi); }
  double cdf(double x) const { return x <= 0 ? 0 : std::erf(x / (sd * std::sqrt(2.0))); }
  double log_tail(double x) const { return x <= 0 ? 0 : kLogTwo + log_normal_cdf(-x / sd); }
  double quantile(double p) const { return -sd * normal_quantile(0.5 * (1 - p)); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const half_normal_dist;
const DistType* const half_normal_dist = &scalar_type<HalfNormal>;

}  // namespace chancel
