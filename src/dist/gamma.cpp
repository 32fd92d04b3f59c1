// SPDX-License-Identifier: Apache-2.0
// (gamma shape rate) and (chi-squared nu), which is gamma with shape nu/2 and rate 1/2. The second
// parameter of gamma is a rate. A draw that would underflow to 0 becomes the smallest normal
// double, which then carries the mass of all below it.
#include "dist/kernel/gamma.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct GammaKernel {
  double shape, rate, log_norm;
  GammaKernel(double a, double b) : shape(a), rate(b), log_norm(a * math::log(b) - log_gamma(a)) {}

  double sample(Stream& stream) const {
    const GammaDraw g(shape, stream);
    const double x = g.plain() ? g.value() / rate : math::exp(g.log() - math::log(rate));
    return std::fmin(std::fmax(x, kLeastDraw), kLargestDraw);
  }
  double log_prob(double x) const {
    if (x > 0) return log_norm + (shape - 1) * math::log(x) - rate * x;
    return x == 0 && shape == 1 ? log_norm : kLogZero;
  }
  // With respect to x, shape and rate.
  void gradient(double x, double* g) const {
    g[0] = (shape - 1) / x - rate;
    g[1] = math::log(rate) - digamma(shape) + math::log(x);
    g[2] = shape / rate - x;
  }
  // Below the least draw exp(-rate x) is 1.
  double log_mass_at(double x) const {
    if (x == kLeastDraw) return shape * (math::log(rate) + kLogLeastDraw) - log_gamma(shape + 1);
    return x == kLargestDraw ? math::log(gamma_q(shape, rate * x)) : kLogZero;
  }
  double average() const { return shape / rate; }
  double variance() const { return shape / (rate * rate); }
  double cdf(double x) const { return gamma_p(shape, x * rate); }
  double log_tail(double x) const { return math::log(gamma_q(shape, x * rate)); }
  double quantile(double p) const { return gamma_p_inverse(shape, p) / rate; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

struct Gamma : GammaKernel {
  static constexpr const char* kName = "gamma";
  static constexpr const char* kDoc = "Gamma distribution with shape and rate.";
  static constexpr Parameter kParameters[] = {{"shape", Rule::Positive}, {"rate", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Positive;
  using Kind = RealKind;
  explicit Gamma(const double* p) : GammaKernel(p[0], p[1]) {}
};

struct ChiSquared : GammaKernel {
  static constexpr const char* kName = "chi-squared";
  static constexpr const char* kDoc = "Chi-squared distribution with nu degrees of freedom.";
  static constexpr Parameter kParameters[] = {{"nu", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Positive;
  using Kind = RealKind;
  explicit ChiSquared(const double* p) : GammaKernel(p[0] / 2, 0.5) {}
  void gradient(double x, double* g) const {
    double all[3];
    GammaKernel::gradient(x, all);
    g[0] = all[0], g[1] = all[1] / 2;
  }
};

}  // namespace

extern const DistType* const gamma_dist;
const DistType* const gamma_dist = &scalar_type<Gamma>;
extern const DistType* const chi_squared_dist;
const DistType* const chi_squared_dist = &scalar_type<ChiSquared>;

}  // namespace chancel
