// SPDX-License-Identifier: Apache-2.0
// (log-normal mu sigma): exp of a normal with mean mu and standard deviation sigma.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"

namespace chancel {
namespace {

struct LogNormal {
  static constexpr const char* kName = "log-normal";
  static constexpr const char* kDoc =
      "The exponential of a normal variable with mean mu and sd sigma.";
  static constexpr Parameter kParameters[] = {{"mu", Rule::Finite}, {"sigma", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Positive;
  using Kind = RealKind;

  double mu, sigma, log_scale;
  explicit LogNormal(const double* p)
      : mu(p[0]), sigma(p[1]), log_scale(-kLogSqrtTwoPi - math::log(sigma)) {}

  double sample(Stream& stream) const {
    const double x = math::exp(mu + sigma * stream.normal());
    return std::fmin(std::fmax(x, kLeastDraw), kLargestDraw);
  }
  double log_prob(double x) const {
    if (!(x > 0)) return kLogZero;
    const double log_x = math::log(x);
    const double z = (log_x - mu) / sigma;
    return log_scale - log_x - 0.5 * z * z;
  }
  static constexpr int kMoving = 0;
  void move_to(double location) { mu = location; }
  void gradient(double x, double* g) const {
    const double z = (math::log(x) - mu) / sigma;
    g[1] = z / sigma;
    g[2] = (z * z - 1) / sigma;
    g[0] = -(1 + g[1]) / x;
  }
  double log_mass_at(double x) const {
    if (x == kLeastDraw) return log_normal_cdf((kLogLeastDraw - mu) / sigma);
    return x == kLargestDraw ? log_normal_cdf((mu - kLogLargestDraw) / sigma) : kLogZero;
  }
  double average() const { return math::exp(mu + 0.5 * sigma * sigma); }
  double variance() const { return math::expm1(sigma * sigma) * math::exp(2 * mu + sigma * sigma); }
  double cdf(double x) const { return x <= 0 ? 0 : normal_cdf((math::log(x) - mu) / sigma); }
  double log_tail(double x) const {
    return x <= 0 ? 0 : log_normal_cdf((mu - math::log(x)) / sigma);
  }
  void cdf_gradient(double x, double* g) const {
    const double z = x > 0 ? (math::log(x) - mu) / sigma : -kInfinity;
    location_scale_gradient(log_scale - 0.5 * z * z, z, g, g + 1);
  }
  double quantile(double p) const { return math::exp(mu + sigma * normal_quantile(p)); }
  double noise(double x) const { return (math::log(x) - mu) / sigma; }
  double draw_with(double noise) const { return math::exp(mu + sigma * noise); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const log_normal_dist;
const DistType* const log_normal_dist = &scalar_type<LogNormal>;

}  // namespace chancel
