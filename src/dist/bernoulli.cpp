// SPDX-License-Identifier: Apache-2.0
// (bernoulli p): the integers 1 and 0. Observed values may be 1.0 and true as well
// (value/observed_value.hpp).
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Bernoulli {
  static constexpr const char* kName = "bernoulli";
  static constexpr const char* kDoc = "1 with probability p, else 0.";
  static constexpr Parameter kParameters[] = {{"p", Rule::Probability}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = IntegerKind;

  double p, log_one, log_zero;
  explicit Bernoulli(const double* q) : p(q[0]), log_one(math::log(p)), log_zero(math::log1p(-p)) {}

  double sample(Stream& stream) const { return stream.uniform() < p ? 1 : 0; }
  double log_prob(double x) const {
    if (x == 1) return log_one;
    return x == 0 ? log_zero : kLogZero;
  }
  void gradient(double x, double* g) const {
    g[0] = 0;
    g[1] = x != 0 ? 1 / p : -1 / (1 - p);
  }
  double average() const { return p; }
  double variance() const { return p * (1 - p); }
  double cdf(double x) const { return x < 0 ? 0 : x < 1 ? 1 - p : 1; }
  double quantile(double q) const { return q <= 1 - p ? 0 : 1; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = 1; }
};

}  // namespace

extern const DistType* const bernoulli_dist;
const DistType* const bernoulli_dist = &scalar_type<Bernoulli>;

}  // namespace chancel
