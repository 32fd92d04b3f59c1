// SPDX-License-Identifier: Apache-2.0
// (half-cauchy scale): the absolute value of a Cauchy variable around 0.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct HalfCauchy {
  static constexpr const char* kName = "half-cauchy";
  static constexpr const char* kDoc = "The absolute value of a Cauchy variable with location 0.";
  static constexpr Parameter kParameters[] = {{"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;

  double scale, log_norm;
  explicit HalfCauchy(const double* p)
      : scale(p[0]), log_norm(kLogTwo - kLogPi - math::log(scale)) {}

  double sample(Stream& stream) const {
    return scale * std::tan(0.5 * kPi * stream.uniform_open());
  }
  double log_prob(double x) const {
    if (!(x >= 0)) return kLogZero;
    const double z = x / scale;
    const double z2 = z * z;
    return log_norm - (z2 < kInfinity ? math::log1p(z2) : 2 * math::log(z));
  }
  void gradient(double x, double* g) const {
    const double z = x / scale;
    const double pull = 2 / (1 + z * z) / scale;
    g[0] = -z * pull;
    g[1] = 1 / scale - pull;
  }
  double cdf(double x) const { return x <= 0 ? 0 : std::atan(x / scale) / (0.5 * kPi); }
  double log_tail(double x) const {
    return x <= 0 ? 0 : math::log(std::atan(scale / x) / (0.5 * kPi));
  }
  double quantile(double p) const { return p >= 1 ? kInfinity : scale * std::tan(0.5 * kPi * p); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const half_cauchy_dist;
const DistType* const half_cauchy_dist = &scalar_type<HalfCauchy>;

}  // namespace chancel
