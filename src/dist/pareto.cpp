// SPDX-License-Identifier: Apache-2.0
// (pareto scale shape) on [scale, inf).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Pareto {
  static constexpr const char* kName = "pareto";
  static constexpr const char* kDoc =
      "Pareto distribution: values from scale up, falling like x^-(shape+1).";
  static constexpr Parameter kParameters[] = {{"scale", Rule::Positive}, {"shape", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Interval;
  using Kind = RealKind;

  double scale, shape, log_norm;
  explicit Pareto(const double* p)
      : scale(p[0]), shape(p[1]), log_norm(math::log(shape) + shape * math::log(scale)) {}

  double sample(Stream& stream) const {
    const double log_x = stream.exponential() / shape;
    const double x = log_x < 600 ? scale * math::exp(log_x) : math::exp(log_x + math::log(scale));
    return std::fmin(x, kLargestDraw);
  }
  double log_prob(double x) const {
    return x >= scale ? log_norm - (shape + 1) * math::log(x) : kLogZero;
  }
  static constexpr int kLower = 0;
  void gradient(double x, double* g) const {
    g[0] = -(shape + 1) / x;
    g[1] = shape / scale;
    g[2] = 1 / shape + math::log(scale) - math::log(x);
  }
  double log_mass_at(double x) const {
    return x == kLargestDraw ? shape * (math::log(scale) - kLogLargestDraw) : kLogZero;
  }
  double average() const { return shape > 1 ? shape * scale / (shape - 1) : kInfinity; }
  double variance() const {
    if (shape <= 2) return kInfinity;
    return scale * scale * shape / ((shape - 1) * (shape - 1) * (shape - 2));
  }
  double cdf(double x) const { return x <= scale ? 0 : -math::expm1(shape * math::log(scale / x)); }
  double log_tail(double x) const { return x <= scale ? 0 : shape * math::log(scale / x); }
  double quantile(double p) const { return scale * math::exp(-math::log1p(-p) / shape); }
  void bounds(double* lower, double* upper) const { *lower = scale, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const pareto_dist;
const DistType* const pareto_dist = &scalar_type<Pareto>;

}  // namespace chancel
