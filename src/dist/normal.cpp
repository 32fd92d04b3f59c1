// SPDX-License-Identifier: Apache-2.0
// (normal mean sd): the second parameter is the standard deviation. Draws by ziggurat.
#include "math/normal.hpp"
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Normal {
  static constexpr const char* kName = "normal";
  static constexpr const char* kDoc = "Normal distribution with mean and standard deviation.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::Finite}, {"sd", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double mean, sd, log_scale;
  explicit Normal(const double* p)
      : mean(p[0]), sd(p[1]), log_scale(-kLogSqrtTwoPi - math::log(p[1])) {}

  double sample(Stream& stream) const { return mean + sd * stream.normal(); }
  double log_prob(double x) const {
    const double z = (x - mean) / sd;
    return log_scale - 0.5 * z * z;
  }
  static constexpr int kMoving = 0;
  void move_to(double m) { mean = m; }
  void gradient(double x, double* g) const {
    const double precision = 1 / sd;
    const double z = (x - mean) * precision;
    g[1] = z * precision;
    g[2] = (z * z - 1) * precision;
    g[0] = -g[1];
  }
  double average() const { return mean; }
  double variance() const { return sd * sd; }
  double cdf(double x) const { return normal_cdf((x - mean) / sd); }
  double log_tail(double x) const { return log_normal_cdf((mean - x) / sd); }
  void cdf_gradient(double x, double* g) const {
    location_scale_gradient(log_prob(x), (x - mean) / sd, g + 0, g + 1);
  }
  double quantile(double p) const { return mean + sd * normal_quantile(p); }
  double noise(double x) const { return (x - mean) / sd; }
  double draw_with(double noise) const { return mean + sd * noise; }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const normal_dist;
const DistType* const normal_dist = &scalar_type<Normal>;

}  // namespace chancel
