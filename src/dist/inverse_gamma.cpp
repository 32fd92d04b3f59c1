// SPDX-License-Identifier: Apache-2.0
// (inverse-gamma shape scale): one over a gamma with this shape and with rate `scale`.
#include "dist/kernel/gamma.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct InverseGamma {
  static constexpr const char* kName = "inverse-gamma";
  static constexpr const char* kDoc =
      "One over a gamma variable; density falls like x^-(shape+1) exp(-scale/x).";
  static constexpr Parameter kParameters[] = {{"shape", Rule::Positive}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Positive;
  using Kind = RealKind;

  double shape, scale, log_norm;
  explicit InverseGamma(const double* p)
      : shape(p[0]), scale(p[1]), log_norm(shape * math::log(scale) - log_gamma(shape)) {}

  double sample(Stream& stream) const {
    const GammaDraw g(shape, stream);
    const double x = g.plain() ? scale / g.value() : math::exp(math::log(scale) - g.log());
    return std::fmin(std::fmax(x, kLeastDraw), kLargestDraw);
  }
  double log_prob(double x) const {
    return x > 0 ? log_norm - (shape + 1) * math::log(x) - scale / x : kLogZero;
  }
  void gradient(double x, double* g) const {
    g[0] = (scale / x - shape - 1) / x;
    g[1] = math::log(scale) - digamma(shape) - math::log(x);
    g[2] = shape / scale - 1 / x;
  }
  // The gamma above 1 / the least draw, or below 1 / the largest, where exp(-x) is 1.
  double log_mass_at(double x) const {
    if (x == kLeastDraw) return math::log(gamma_q(shape, scale / x));
    if (x != kLargestDraw) return kLogZero;
    return shape * (math::log(scale) - kLogLargestDraw) - log_gamma(shape + 1);
  }
  double average() const { return shape > 1 ? scale / (shape - 1) : kInfinity; }
  double variance() const {
    if (shape <= 2) return shape > 1 ? kInfinity : std::numeric_limits<double>::quiet_NaN();
    return scale * scale / ((shape - 1) * (shape - 1) * (shape - 2));
  }
  double cdf(double x) const { return x <= 0 ? 0 : gamma_q(shape, scale / x); }
  double log_tail(double x) const { return x <= 0 ? 0 : math::log(gamma_p(shape, scale / x)); }
  double quantile(double p) const { return p <= 0 ? 0 : scale / gamma_q_inverse(shape, p); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const inverse_gamma_dist;
const DistType* const inverse_gamma_dist = &scalar_type<InverseGamma>;

}  // namespace chancel
