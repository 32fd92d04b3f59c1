// SPDX-License-Identifier: Apache-2.0
// (gumbel loc scale): the limit of largest values; minus the logarithm of an exponential variable.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

constexpr double kEulerGamma = 0.577215664901532860607;

struct Gumbel {
  static constexpr const char* kName = "gumbel";
  static constexpr const char* kDoc =
      "Gumbel (extreme value) distribution of largest values, with location and scale.";
  static constexpr Parameter kParameters[] = {{"loc", Rule::Finite}, {"scale", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Real;
  using Kind = RealKind;

  double loc, scale, log_scale;
  explicit Gumbel(const double* p) : loc(p[0]), scale(p[1]), log_scale(math::log(scale)) {}

  double sample(Stream& stream) const {
    return loc - scale * math::log(std::fmax(stream.exponential(), kLeastDraw));
  }
  double log_prob(double x) const {
    const double z = (x - loc) / scale;
    return -z - math::exp(-z) - log_scale;
  }
  static constexpr int kMoving = 0;
  void move_to(double location) { loc = location; }
  void gradient(double x, double* g) const {
    const double z = (x - loc) / scale;
    const double pull = -math::expm1(-z);
    g[0] = -pull / scale;
    g[1] = pull / scale;
    g[2] = (z * pull - 1) / scale;
  }
  double average() const { return loc + kEulerGamma * scale; }
  double variance() const { return kPi * kPi / 6 * scale * scale; }
  double cdf(double x) const { return math::exp(-math::exp(-(x - loc) / scale)); }
  double log_tail(double x) const {
    return math::log(-math::expm1(-math::exp(-(x - loc) / scale)));
  }
  void cdf_gradient(double x, double* g) const {
    location_scale_gradient(log_prob(x), (x - loc) / scale, g + 0, g + 1);
  }
  double quantile(double p) const { return loc - scale * math::log(-math::log(p)); }
  void bounds(double* lower, double* upper) const { *lower = -kInfinity, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const gumbel_dist;
const DistType* const gumbel_dist = &scalar_type<Gumbel>;

}  // namespace chancel
