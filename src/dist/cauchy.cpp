// SPDX-License-Identifier: Apache-2.0
// (cauchy loc scale). No mean, no variance: those of the type are left out. A draw is the tangent
// of a uniform angle.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Cauchy {
  static constexpr const char* kName = "cauchy";
  static constexpr const char* kDoc = "Cauchy distribution with location and scale.";
  static constexpr Parameter kParameters[] = {{"loc", Rule::Finite}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double loc, scale, log_norm;
  explicit Cauchy(const double* p) : loc(p[0]), scale(p[1]), log_norm(-kLogPi - math::log(scale)) {}

  double sample(Stream& stream) const {
    return loc + scale * std::tan(kPi * (stream.uniform_open() - 0.5));
  }
  double log_prob(double x) const {
    const double z = (x - loc) / scale;
    const double z2 = z * z;
    return log_norm - (z2 < kInfinity ? math::log1p(z2) : 2 * math::log(std::fabs(z)));
  }
  static constexpr int kMoving = 0;
  void move_to(double location) { loc = location; }
  void gradient(double x, double* g) const {
    const double z = (x - loc) / scale;
    const double pull = 2 / (1 + z * z) / scale;
    g[1] = z * pull;
    g[2] = 1 / scale - pull;
    g[0] = -g[1];
  }
  double cdf(double x) const {
    const double z = (x - loc) / scale;
    return z < -1 ? std::atan(-1 / z) / kPi : 0.5 + std::atan(z) / kPi;
  }
  double log_tail(double x) const { return math::log(cdf(loc + (loc - x))); }
  void cdf_gradient(double x, double* g) const {
    location_scale_gradient(log_prob(x), (x - loc) / scale, g + 0, g + 1);
  }
  double quantile(double p) const {
    if (p <= 0) return -kInfinity;
    if (p >= 1) return kInfinity;
    return p < 0.25 ? loc - scale / std::tan(kPi * p) : loc + scale * std::tan(kPi * (p - 0.5));
  }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const cauchy_dist;
const DistType* const cauchy_dist = &scalar_type<Cauchy>;

}  // namespace chancel
