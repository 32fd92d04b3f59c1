// SPDX-License-Identifier: Apache-2.0
// (exponential rate) on [0, inf).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Exponential {
  static constexpr const char* kName = "exponential";
  static constexpr const char* kDoc = "Exponential distribution with the given rate.";
  static constexpr Parameter kParameters[] = {{"rate", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;

  double rate, log_rate;
  explicit Exponential(const double* p) : rate(p[0]), log_rate(math::log(rate)) {}

  double sample(Stream& stream) const { return stream.exponential() / rate; }
  double log_prob(double x) const { return x >= 0 ? log_rate - rate * x : kLogZero; }
  void gradient(double x, double* g) const {
    g[0] = -rate;
    g[1] = 1 / rate - x;
  }
  double average() const { return 1 / rate; }
  double variance() const { return 1 / (rate * rate); }
  double cdf(double x) const { return x <= 0 ? 0 : -math::expm1(-rate * x); }
  double log_tail(double x) const { return x <= 0 ? 0 : -rate * x; }
  void cdf_gradient(double x, double* g) const {
    g[0] = x > 0 && x < kInfinity ? x * math::exp(-rate * x) : 0;
  }
  double quantile(double p) const { return -math::log1p(-p) / rate; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const exponential_dist;
const DistType* const exponential_dist = &scalar_type<Exponential>;

}  // namespace chancel
