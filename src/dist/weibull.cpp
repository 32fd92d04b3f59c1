// SPDX-License-Identifier: Apache-2.0
// (weibull shape scale): scale times an exponential to the power 1/shape.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Weibull {
  static constexpr const char* kName = "weibull";
  static constexpr const char* kDoc = "Weibull distribution with shape and scale.";
  static constexpr Parameter kParameters[] = {{"shape", Rule::Positive}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;

  double shape, scale, log_norm;
  explicit Weibull(const double* p)
      : shape(p[0]), scale(p[1]), log_norm(math::log(shape) - math::log(scale)) {}

  double sample(Stream& stream) const {
    const double e = stream.exponential();
    double x = math::pow(e, 1 / shape);
    if (x > 1e-290 && x < 1e290)
      x *= scale;
    else
      x = math::exp(math::log(e) / shape + math::log(scale));
    return std::fmin(std::fmax(x, kLeastDraw), kLargestDraw);
  }
  double log_prob(double x) const {
    if (x > 0) {
      const double log_z = math::log(x / scale);
      return log_norm + (shape - 1) * log_z - math::exp(shape * log_z);
    }
    return x == 0 && shape == 1 ? log_norm : kLogZero;
  }
  void gradient(double x, double* g) const {
    const double log_z = math::log(x / scale);
    const double power = math::exp(shape * log_z);
    g[0] = (shape - 1 - shape * power) / x;
    g[1] = 1 / shape + log_z * (1 - power);
    g[2] = shape * (power - 1) / scale;
  }
  double log_mass_at(double x) const {
    if (x != kLeastDraw && x != kLargestDraw) return kLogZero;
    const double log_z = math::log(x) - math::log(scale);
    const double power = math::exp(shape * log_z);
    if (x == kLargestDraw) return -power;
    return power < 1e-300 ? shape * log_z : math::log(-math::expm1(-power));
  }
  double average() const { return scale * math::exp(log_gamma(1 + 1 / shape)); }
  double variance() const {
    const double m = math::exp(log_gamma(1 + 1 / shape));
    return scale * scale * (math::exp(log_gamma(1 + 2 / shape)) - m * m);
  }
  double cdf(double x) const { return x <= 0 ? 0 : -math::expm1(-math::pow(x / scale, shape)); }
  double log_tail(double x) const { return x <= 0 ? 0 : -math::pow(x / scale, shape); }
  double quantile(double p) const { return scale * math::pow(-math::log1p(-p), 1 / shape); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const weibull_dist;
const DistType* const weibull_dist = &scalar_type<Weibull>;

}  // namespace chancel
