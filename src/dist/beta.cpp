// SPDX-License-Identifier: Apache-2.0
// (beta alpha beta) on (0, 1). Draws are never exactly 0 or 1; there the density is that of the
// limit when it is finite, and zero otherwise (also where the limit is infinite: no draw ever lands
// there).
#include "dist/kernel/beta.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Beta {
  static constexpr const char* kName = "beta";
  static constexpr const char* kDoc = "Beta distribution with two shapes.";
  static constexpr Parameter kParameters[] = {{"alpha", Rule::Positive}, {"beta", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::UnitInterval;
  using Kind = RealKind;

  double a, b, log_norm;
  explicit Beta(const double* p) : a(p[0]), b(p[1]), log_norm(-log_beta(a, b)) {}

  double sample(Stream& stream) const { return draw_beta(a, b, stream); }
  double log_prob(double x) const {
    if (x > 0 && x < 1) return log_norm + (a - 1) * math::log(x) + (b - 1) * math::log1p(-x);
    if ((x == 0 && a == 1) || (x == 1 && b == 1)) return log_norm;
    return kLogZero;
  }
  void gradient(double x, double* g) const {
    const double both = digamma(a + b);
    g[0] = (a - 1) / x - (b - 1) / (1 - x);
    g[1] = both - digamma(a) + math::log(x);
    g[2] = both - digamma(b) + math::log1p(-x);
  }
  // Of x^(a-1) (1-x)^(b-1) / B(a, b) between an end and a point next to it, where the factor of the
  // other end is 1.
  double log_mass_at(double x) const {
    if (x == kLeastBeta) return log_norm + a * kLogLeastDraw - math::log(a);
    if (x == kLargestBeta) return log_norm + b * math::log(kBeyondLargestBeta) - math::log(b);
    return kLogZero;
  }
  double average() const { return a / (a + b); }
  double variance() const { return a / (a + b) * (b / (a + b)) / (a + b + 1); }
  double cdf(double x) const { return beta_i(a, b, x); }
  double log_tail(double x) const { return math::log(beta_i(b, a, 1 - x)); }
  double quantile(double p) const { return beta_i_inverse(a, b, p); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = 1; }
};

}  // namespace

extern const DistType* const beta_dist;
const DistType* const beta_dist = &scalar_type<Beta>;

}  // namespace chancel
