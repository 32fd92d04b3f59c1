// SPDX-License-Identifier: Apache-2.0
// (laplace loc scale): two exponentials back to back.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Laplace {
  static constexpr const char* kName = "laplace";
  static constexpr const char* kDoc =
      "Laplace (double exponential) distribution with location and scale.";
  static constexpr Parameter kParameters[] = {{"loc", Rule::Finite}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double loc, scale, log_norm;
  explicit Laplace(const double* p) : loc(p[0]), scale(p[1]), log_norm(-math::log(2 * scale)) {}

  double sample(Stream& stream) const {
    const double size = stream.exponential();
    return loc + scale * (stream.next() >> 63 ? size : -size);
  }
  double log_prob(double x) const { return log_norm - std::fabs(x - loc) / scale; }
  static constexpr int kMoving = 0;
  void move_to(double location) { loc = location; }
  void gradient(double x, double* g) const {
    g[1] = x > loc ? 1 / scale : x < loc ? -1 / scale : 0;
    g[2] = (std::fabs(x - loc) / scale - 1) / scale;
    g[0] = -g[1];
  }
  double average() const { return loc; }
  double variance() const { return 2 * scale * scale; }
  double cdf(double x) const {
    const double z = (x - loc) / scale;
    return z < 0 ? 0.5 * math::exp(z) : 1 - 0.5 * math::exp(-z);
  }
  double log_tail(double x) const {
    const double z = (x - loc) / scale;
    return z > 0 ? -kLogTwo - z : math::log1p(-0.5 * math::exp(z));
  }
  void cdf_gradient(double x, double* g) const {
    location_scale_gradient(log_prob(x), (x - loc) / scale, g + 0, g + 1);
  }
  double quantile(double p) const {
    return p < 0.5 ? loc + scale * math::log(2 * p) : loc - scale * math::log(2 * (1 - p));
  }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const laplace_dist;
const DistType* const laplace_dist = &scalar_type<Laplace>;

}  // namespace chancel
