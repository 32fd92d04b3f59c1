// SPDX-License-Identifier: Apache-2.0
// (uniform-discrete min max): the integers from min up to but not including max.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct UniformDiscrete {
  static constexpr const char* kName = "uniform-discrete";
  static constexpr const char* kDoc = "The integers from min (inclusive) to max (exclusive).";
  static constexpr Parameter kParameters[] = {{"min", Rule::Whole}, {"max", Rule::Whole}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = IntegerKind;
  static Problem check(const double* p) {
    if (p[0] < p[1]) return {};
    return {"min must be below max", 1};
  }

  double min, max, log_mass;
  explicit UniformDiscrete(const double* p)
      : min(p[0]), max(p[1]), log_mass(-math::log(max - min)) {}

  double sample(Stream& stream) const {
    return min + static_cast<double>(stream.below(static_cast<std::uint64_t>(max - min)));
  }
  double log_prob(double x) const { return x >= min && x < max ? log_mass : kLogZero; }
  void gradient(double, double* g) const { g[0] = g[1] = g[2] = 0; }
  double average() const { return min + (max - 1 - min) / 2; }
  double variance() const { return ((max - min) * (max - min) - 1) / 12; }
  double cdf(double x) const {
    if (x < min) return 0;
    return x >= max - 1 ? 1 : (std::floor(x) - min + 1) / (max - min);
  }
  double quantile(double p) const {
    return std::fmin(std::fmax(min + std::ceil(p * (max - min)) - 1, min), max - 1);
  }
  void bounds(double* lower, double* upper) const { *lower = min, *upper = max - 1; }
};

}  // namespace

extern const DistType* const uniform_discrete_dist;
const DistType* const uniform_discrete_dist = &scalar_type<UniformDiscrete>;

}  // namespace chancel
