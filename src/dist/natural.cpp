// SPDX-License-Identifier: Apache-2.0
// (natural): a natural number. The paper lists it without its distribution; here each number has
// half the probability of the one before it: the number of tails of a fair coin before the first
// head.
#include "dist/scalar.hpp"

namespace chancel {
namespace {

struct Natural {
  static constexpr const char* kName = "natural";
  static constexpr const char* kDoc =
      "A natural number: 0 with probability 1/2, 1 with 1/4, 2 with 1/8 and so on.";
  static constexpr std::array<Parameter, 0> kParameters{};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;

  explicit Natural(const double*) {}
  double sample(Stream& stream) const {
    return std::fmin(std::floor(stream.exponential() / M_LN2), kExactIntegers);
  }
  double log_prob(double k) const { return k < 0 ? kLogZero : -(k + 1) * M_LN2; }
  void gradient(double, double* g) const { g[0] = 0; }
  double log_mass_at(double k) const {  // P(at least k)
    return k == kExactIntegers ? -k * M_LN2 : kLogZero;
  }
  double average() const { return 1; }
  double variance() const { return 2; }
  double cdf(double x) const { return x < 0 ? 0 : -math::expm1(-(std::floor(x) + 1) * M_LN2); }
  double quantile(double q) const {
    return integer_quantile(*this, q, 0, kInfinity, -math::log1p(-q) / M_LN2);
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const natural_dist;
const DistType* const natural_dist = &scalar_type<Natural>;

}  // namespace chancel
