// SPDX-License-Identifier: Apache-2.0
// (binomial n p): the number of successes in n trials.
#include "dist/kernel/binomial.hpp"
#include "dist/kernel/beta.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Binomial {
  static constexpr const char* kName = "binomial";
  static constexpr const char* kDoc = "Number of successes in n trials, each with probability p.";
  static constexpr Parameter kParameters[] = {{"n", Rule::Count}, {"p", Rule::Probability}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = CountKind;

  double n, p, log_p, log_q;
  explicit Binomial(const double* q)
      : n(q[0]), p(q[1]), log_p(math::log(p)), log_q(math::log1p(-p)) {}

  double sample(Stream& stream) const { return draw_binomial(n, p, stream); }
  double log_prob(double k) const {
    return k < 0 || k > n ? kLogZero : binomial_log_mass(n, p, log_p, log_q, k);
  }
  void gradient(double k, double* g) const {
    g[0] = g[1] = 0;
    g[2] = (k == 0 ? 0 : k / p) - (k == n ? 0 : (n - k) / (1 - p));
  }
  double average() const { return n * p; }
  double variance() const { return n * p * (1 - p); }
  double cdf(double x) const {
    if (x < 0) return 0;
    const double k = std::floor(x);
    return k >= n ? 1 : 1 - beta_i(k + 1, n - k, p);
  }
  double quantile(double q) const {
    if (p == 0) return 0;
    if (p == 1) return n;
    const double sd = std::sqrt(variance());
    return integer_quantile(*this, q, 0, n, rough_quantile(q, n * p, sd, (1 - 2 * p) / sd));
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = n; }
};

struct BetaBinomial {
  static constexpr const char* kName = "beta-binomial";
  static constexpr const char* kDoc =
      "Number of successes in n trials whose probability is a beta draw.";
  static constexpr Parameter kParameters[] = {
      {"n", Rule::Count}, {"alpha", Rule::Positive}, {"beta", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = CountKind;

  double n, a, b, log_norm;
  explicit BetaBinomial(const double* q) : n(q[0]), a(q[1]), b(q[2]), log_norm(-log_beta(a, b)) {}

  double sample(Stream& stream) const { return draw_binomial(n, draw_beta(a, b, stream), stream); }
  // C(n, k) B(k + a, n - k + b) / B(a, b), with C(n, k) = 1 / ((n + 1) B(k + 1, n - k + 1)).
  double log_prob(double k) const {
    if (k < 0 || k > n) return kLogZero;
    return log_beta(k + a, n - k + b) + log_norm - math::log1p(n) - log_beta(k + 1, n - k + 1);
  }
  void gradient(double k, double* g) const {
    const double both = digamma(a + b) - digamma(n + a + b);
    g[0] = g[1] = 0;
    g[2] = digamma(k + a) - digamma(a) + both;
    g[3] = digamma(n - k + b) - digamma(b) + both;
  }
  double average() const { return n * a / (a + b); }
  double variance() const {
    const double s = a + b;
    return n * (a / s) * (b / s) * (s + n) / (s + 1);
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = n; }
};

}  // namespace

extern const DistType* const binomial_dist;
const DistType* const binomial_dist = &scalar_type<Binomial>;
extern const DistType* const beta_binomial_dist;
const DistType* const beta_binomial_dist = &scalar_type<BetaBinomial>;

}  // namespace chancel
