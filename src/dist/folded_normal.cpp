// SPDX-License-Identifier: Apache-2.0
// (folded-normal mean sd): the absolute value of a normal. folded-normal-positive leaves out 0;
// folded-normal-discrete is the folded normal rounded to the nearest integer.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"
#include "math/normal.hpp"

namespace chancel {
namespace {

struct FoldedKernel {
  double mean, sd, log_scale;
  FoldedKernel(double m, double s) : mean(m), sd(s), log_scale(-kLogSqrtTwoPi - math::log(s)) {}

  double sample(Stream& stream) const { return std::fabs(mean + sd * stream.normal()); }
  double log_prob(double x) const {
    if (!(x >= 0)) return kLogZero;
    const double a = (x - mean) / sd;
    const double b = (x + mean) / sd;
    return log_scale + log_add(-0.5 * a * a, -0.5 * b * b);
  }
  void gradient(double x, double* g) const {
    const double a = (x - mean) / sd;
    const double b = (x + mean) / sd;
    const double mirrored = 1 / (1 + math::exp(2 * x * mean / (sd * sd)));  // share of the density
    const double straight = 1 / (1 + math::exp(-2 * x * mean / (sd * sd)));
    g[0] = -(straight * a + mirrored * b) / sd;
    g[1] = (straight * a - mirrored * b) / sd;
    g[2] = (straight * a * a + mirrored * b * b - 1) / sd;
  }
  double average() const {
    const double z = mean / sd;
    return sd * std::sqrt(2 / kPi) * math::exp(-0.5 * z * z) + mean * (1 - 2 * normal_cdf(-z));
  }
  double variance() const {
    const double m = average();
    return mean * mean + sd * sd - m * m;
  }
  double cdf(double x) const {
    return x <= 0 ? 0 : normal_cdf((x - mean) / sd) - normal_cdf((-x - mean) / sd);
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

struct FoldedNormal : FoldedKernel {
  static constexpr const char* kName = "folded-normal";
  static constexpr const char* kDoc = "The absolute value of a normal variable.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::Finite}, {"sd", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegative;
  using Kind = RealKind;
  explicit FoldedNormal(const double* p) : FoldedKernel(p[0], p[1]) {}
};

struct FoldedNormalPositive : FoldedKernel {
  static constexpr const char* kName = "folded-normal-positive";
  static constexpr const char* kDoc = "The absolute value of a normal variable, zero left out.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::Finite}, {"sd", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::Positive;
  using Kind = RealKind;
  explicit FoldedNormalPositive(const double* p) : FoldedKernel(p[0], p[1]) {}
  double sample(Stream& stream) const {
    return std::fmax(FoldedKernel::sample(stream), std::numeric_limits<double>::min());
  }
  double log_prob(double x) const { return x > 0 ? FoldedKernel::log_prob(x) : kLogZero; }
};

struct FoldedNormalDiscrete : FoldedKernel {
  static constexpr const char* kName = "folded-normal-discrete";
  static constexpr const char* kDoc =
      "The absolute value of a normal variable, rounded to an integer.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::Finite}, {"sd", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* p) {
    if (std::fabs(p[0]) + 40 * p[1] < kExactIntegers) return {};
    return {"mean and sd must be small enough for exact integers", 0};
  }
  explicit FoldedNormalDiscrete(const double* p) : FoldedKernel(p[0], p[1]) {}
  double sample(Stream& stream) const { return std::floor(FoldedKernel::sample(stream) + 0.5); }
  double log_prob(double k) const {
    if (k < 0) return kLogZero;
    const double right = log_normal_interval((k - 0.5 - mean) / sd, (k + 0.5 - mean) / sd);
    if (k == 0) return right;  // one cell around 0
    return log_add(right, log_normal_interval((-k - 0.5 - mean) / sd, (-k + 0.5 - mean) / sd));
  }
  void gradient(double k, double* g) const {
    const double log_mass = log_prob(k);
    g[0] = g[1] = g[2] = 0;
    const auto add_edge = [&](double edge, double sign) {
      const double z = (edge - mean) / sd;
      const double share = sign * math::exp(-kLogSqrtTwoPi - 0.5 * z * z - log_mass) / sd;
      g[1] -= share;
      g[2] -= share * z;
    };
    add_edge(k + 0.5, 1);
    add_edge(k - 0.5, -1);
    if (k == 0) return;
    add_edge(-k + 0.5, 1);
    add_edge(-k - 0.5, -1);
  }
  double cdf(double x) const { return x < 0 ? 0 : FoldedKernel::cdf(std::floor(x) + 0.5); }
  double average() const = delete;
  double variance() const = delete;
};

}  // namespace

extern const DistType* const folded_normal_dist;
const DistType* const folded_normal_dist = &scalar_type<FoldedNormal>;
extern const DistType* const folded_normal_positive_dist;
const DistType* const folded_normal_positive_dist = &scalar_type<FoldedNormalPositive>;
extern const DistType* const folded_normal_discrete_dist;
const DistType* const folded_normal_discrete_dist = &scalar_type<FoldedNormalDiscrete>;

}  // namespace chancel
