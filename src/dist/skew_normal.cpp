// SPDX-License-Identifier: Apache-2.0
// (skew-normal location scale shape): density 2 / scale phi(z) Phi(shape z) with z = (x - location) / scale (Azzalini 1985).
// A draw is delta |u| + sqrt(1 - delta^2) v of two normals, where delta = shape / sqrt(1 + shape^2).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct SkewNormal {
  static constexpr const char* kName = "skew-normal";
  static constexpr const char* kDoc =
      "A normal variable that leans to one side: shape 0 is the normal distribution.";
  static constexpr Parameter kParameters[] = {
      {"location", Rule::Finite}, {"scale", Rule::Positive}, {"shape", Rule::Finite}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double location, scale, shape, log_norm;
  explicit SkewNormal(const double* p)
      : location(p[0]),
        scale(p[1]),
        shape(p[2]),
        log_norm(kLogTwo - kLogSqrtTwoPi - math::log(scale)) {}

  // shape / sqrt(1 + shape^2), and 1 / sqrt(1 + shape^2), also where the square overflows.
  double delta() const { return shape / std::hypot(1.0, shape); }

  double sample(Stream& stream) const {
    const double u = std::fabs(stream.normal());
    const double v = stream.normal();
    return location + scale * (delta() * u + v / std::hypot(1.0, shape));
  }
  double log_prob(double x) const {
    const double z = (x - location) / scale;
    return log_norm - 0.5 * z * z + log_normal_cdf(shape * z);
  }
  static constexpr int kMoving = 0;
  void move_to(double l) { location = l; }
  void gradient(double x, double* g) const {
    const double z = (x - location) / scale;
    const double t = shape * z;
    // phi(t) / Phi(t)
    const double ratio = math::exp(-0.5 * t * t - kLogSqrtTwoPi - log_normal_cdf(t));
    const double slope = shape * ratio - z;
    g[0] = slope / scale;
    g[1] = -g[0];
    g[2] = -(1 + z * slope) / scale;
    g[3] = z * ratio;
  }
  double average() const { return location + scale * delta() * std::sqrt(2 / kPi); }
  double variance() const { return scale * scale * (1 - 2 / kPi * delta() * delta()); }
  double cdf(double x) const {
    const double z = (x - location) / scale;
    return std::fmin(std::fmax(normal_cdf(z) - 2 * owens_t(z, shape), 0), 1);
  }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const skew_normal_dist;
const DistType* const skew_normal_dist = &scalar_type<SkewNormal>;

}  // namespace chancel
