// SPDX-License-Identifier: Apache-2.0
// (geometric p): the number of failures before the first success, 0, 1, 2 ... Draws by rounding an
// exponential down.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Geometric {
  static constexpr const char* kName = "geometric";
  static constexpr const char* kDoc = "Number of failures before the first success.";
  static constexpr Parameter kParameters[] = {{"p", Rule::PositiveProbability}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;

  double p, log_p, log_q;
  explicit Geometric(const double* q) : p(q[0]), log_p(math::log(p)), log_q(math::log1p(-p)) {}

  double sample(Stream& stream) const {
    if (p == 1) return 0;
    return std::fmin(std::floor(stream.exponential() / -log_q), kExactIntegers);
  }
  double log_prob(double k) const {
    if (k < 0) return kLogZero;
    return k == 0 ? log_p : log_p + k * log_q;
  }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = 1 / p - (k == 0 ? 0 : k / (1 - p));
  }
  double log_mass_at(double k) const {  // P(at least k)
    return k == kExactIntegers ? k * log_q : kLogZero;
  }
  double average() const { return (1 - p) / p; }
  double variance() const { return (1 - p) / (p * p); }
  double cdf(double x) const {
    return x < 0 ? 0 : p == 1 ? 1 : -math::expm1((std::floor(x) + 1) * log_q);
  }
  double quantile(double q) const {
    return p == 1 ? 0 : integer_quantile(*this, q, 0, kInfinity, math::log1p(-q) / log_q);
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const geometric_dist;
const DistType* const geometric_dist = &scalar_type<Geometric>;

}  // namespace chancel
