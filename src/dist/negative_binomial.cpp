// SPDX-License-Identifier: Apache-2.0
// (negative-binomial r p): the number of failures before the r-th success; r may be any positive
// real. A draw is a Poisson whose mean is a gamma.
#include "dist/kernel/gamma.hpp"
#include "dist/kernel/poisson.hpp"

#include "dist/scalar.hpp"

namespace chancel {
namespace {

struct NegativeBinomial {
  static constexpr const char* kName = "negative-binomial";
  static constexpr const char* kDoc =
      "Number of failures before the r-th success, each with probability p.";
  static constexpr Parameter kParameters[] = {{"r", Rule::Positive},
                                              {"p", Rule::PositiveProbability}};
  static constexpr Support kSupport = Support::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* q) {
    if (std::fmax(q[0], 1) * (1 - q[1]) / q[1] <= 1e14) return {};
    return {"max(r, 1) (1-p)/p must be at most 1e14", 1};
  }

  double r, p, log_q, r_log_p;
  explicit NegativeBinomial(const double* q)
      : r(q[0]), p(q[1]), log_q(std::log1p(-p)), r_log_p(r * std::log(p)) {}

  double sample(Stream& stream) const {
    if (p == 1) return 0;
    return draw_poisson(draw_gamma(r, stream) * (1 - p) / p, stream);
  }
  // C(k+r-1, k) p^r q^k, with the binomial coefficient as 1 / (k B(k, r)).
  double log_prob(double k) const {
    if (k < 0) return kLogZero;
    if (k == 0) return r_log_p;
    return r_log_p + k * log_q - log_beta(k, r) - std::log(k);
  }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = std::log(p) + (k == 0 ? 0 : digamma(k + r) - digamma(r));
    g[2] = r / p - (k == 0 ? 0 : k / (1 - p));
  }
  double average() const { return r * (1 - p) / p; }
  double variance() const { return r * (1 - p) / (p * p); }
  double cdf(double x) const { return x < 0 ? 0 : beta_i(r, std::floor(x) + 1, p); }
  double quantile(double q) const {
    return p == 1 ? 0 : integer_quantile(*this, q, 0, kInfinity, average());
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const negative_binomial_dist;
const DistType* const negative_binomial_dist = &scalar_type<NegativeBinomial>;

}  // namespace chancel
