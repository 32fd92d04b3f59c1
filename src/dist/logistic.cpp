// SPDX-License-Identifier: Apache-2.0
// (logistic loc scale): its distribution function is the sigmoid.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Logistic {
  static constexpr const char* kName = "logistic";
  static constexpr const char* kDoc = "Logistic distribution with location and scale.";
  static constexpr Parameter kParameters[] = {{"loc", Rule::Finite}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double loc, scale, log_scale;
  explicit Logistic(const double* p) : loc(p[0]), scale(p[1]), log_scale(math::log(scale)) {}

  double sample(Stream& stream) const { return quantile(stream.uniform_open()); }
  double log_prob(double x) const {
    const double size = std::fabs(x - loc) / scale;
    return -size - 2 * math::log1p(math::exp(-size)) - log_scale;
  }
  static constexpr int kMoving = 0;
  void move_to(double location) { loc = location; }
  void gradient(double x, double* g) const {
    const double z = (x - loc) / scale;
    const double pull = std::tanh(0.5 * z);
    g[0] = -pull / scale;
    g[1] = pull / scale;
    g[2] = (z * pull - 1) / scale;
  }
  double average() const { return loc; }
  double variance() const { return kPi * kPi / 3 * scale * scale; }
  double cdf(double x) const { return sigmoid((x - loc) / scale); }
  double log_tail(double x) const { return log_sigmoid((loc - x) / scale); }
  void cdf_gradient(double x, double* g) const {
    location_scale_gradient(log_prob(x), (x - loc) / scale, g + 0, g + 1);
  }
  double quantile(double p) const { return loc + scale * (math::log(p) - math::log1p(-p)); }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const logistic_dist;
const DistType* const logistic_dist = &scalar_type<Logistic>;

}  // namespace chancel
