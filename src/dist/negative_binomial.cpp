// SPDX-License-Identifier: Apache-2.0
// (negative-binomial r p): the number of failures before the r-th success; r may be any positive
// real. A draw is a Poisson whose mean is a gamma. (neg-binomial mean dispersion): the same by its
// mean, with r = dispersion and p = r / (r + mean); (neg-binomial-log log-mean dispersion) by the logarithm of its mean.
#include "dist/kernel/gamma.hpp"
#include "dist/kernel/poisson.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct NegativeBinomial {
  static constexpr const char* kName = "negative-binomial";
  static constexpr const char* kDoc =
      "Number of failures before the r-th success, each with probability p.";
  static constexpr Parameter kParameters[] = {{"r", Rule::Positive},
                                              {"p", Rule::PositiveProbability}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* q) {
    if (std::fmax(q[0], 1) * (1 - q[1]) / q[1] <= 1e14) return {};
    return {"max(r, 1) (1-p)/p must be at most 1e14", 1};
  }

  double r, p, log_q, r_log_p;
  explicit NegativeBinomial(const double* q)
      : r(q[0]), p(q[1]), log_q(math::log1p(-p)), r_log_p(r * math::log(p)) {}

  double sample(Stream& stream) const {
    if (p == 1) return 0;
    return draw_poisson(draw_gamma(r, stream) * (1 - p) / p, stream);
  }
  // C(k+r-1, k) p^r q^k, with the binomial coefficient as 1 / (k B(k, r)).
  double log_prob(double k) const {
    if (k < 0) return kLogZero;
    if (k == 0) return r_log_p;
    return r_log_p + k * log_q - log_beta(k, r) - math::log(k);
  }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = math::log(p) + (k == 0 ? 0 : digamma(k + r) - digamma(r));
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

struct NegBinomial {
  static constexpr const char* kName = "neg-binomial";
  static constexpr const char* kDoc =
      "Counts with the given mean and variance mean + mean^2 / dispersion.";
  static constexpr Parameter kParameters[] = {{"mean", Rule::NonNegative},
                                              {"dispersion", Rule::Positive}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* q) {
    if (std::fmax(q[0], q[0] / q[1]) <= 1e14) return {};
    return {"mean and mean / dispersion must be at most 1e14", 0};
  }

  double mean, r, log_gamma_r;
  explicit NegBinomial(const double* q) : mean(q[0]), r(q[1]), log_gamma_r(log_gamma(r)) {}

  double sample(Stream& stream) const {
    return draw_poisson(draw_gamma(r, stream) * (mean / r), stream);
  }
  double log_prob(double k) const {
    if (k < 0) return kLogZero;
    const double log_none = -r * math::log1p(mean / r);
    if (k == 0) return log_none;
    // Plain log gammas lose digits where they are large: there as 1 / (k B(k, r)).
    const double log_ways = k < 256 && r < 256 ? log_gamma(k + r) - log_gamma_r - log_factorial(k)
                                               : -log_beta(k, r) - math::log(k);
    return log_ways + log_none - k * math::log1p(r / mean);
  }
  static constexpr int kMoving = 0;
  void move_to(double m) { mean = m; }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = (k == 0 ? 0 : k / mean) - (k + r) / (mean + r);
    g[2] = (k == 0 ? 0 : digamma(k + r) - digamma(r)) - math::log1p(mean / r) +
           (mean - k) / (mean + r);
  }
  double average() const { return mean; }
  double variance() const { return mean + mean / r * mean; }
  double cdf(double x) const { return x < 0 ? 0 : beta_i(r, std::floor(x) + 1, r / (r + mean)); }
  double quantile(double q) const {
    return mean == 0 ? 0 : integer_quantile(*this, q, 0, kInfinity, mean);
  }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

// The same by the logarithm of its mean, for regressions.
struct NegBinomialLog : NegBinomial {
  static constexpr const char* kName = "neg-binomial-log";
  static constexpr const char* kDoc =
      "Counts with mean exp(log-mean) and variance mean + mean^2 / dispersion.";
  static constexpr Parameter kParameters[] = {{"log-mean", Rule::Finite},
                                              {"dispersion", Rule::Positive}};
  static Problem check(const double* q) {
    if (q[0] <= 32 && q[0] - math::log(q[1]) <= 32) return {};
    return {"log-mean and log(mean / dispersion) must be at most 32", 0};
  }

  double log_mean;
  static NegBinomial by_mean(const double* q) {
    const double parameters[] = {math::exp(q[0]), q[1]};
    return NegBinomial(parameters);
  }
  explicit NegBinomialLog(const double* q) : NegBinomial(by_mean(q)), log_mean(q[0]) {}
  void move_to(double m) {
    log_mean = m;
    mean = math::exp(m);
  }
  double log_prob(double k) const {
    if (!(k > 0) || mean > 1e-300) return NegBinomial::log_prob(k);
    // The mean underflows: r / mean is huge, and k of r + k - 1 items come to mean^k / r^k.
    return -log_beta(k, r) - math::log(k) + k * (log_mean - math::log(r));
  }
  void gradient(double k, double* g) const {
    NegBinomial::gradient(k, g);
    g[1] = k == 0 ? -mean * (r / (mean + r)) : (k - mean) * (r / (mean + r));
  }
};

}  // namespace

extern const DistType* const negative_binomial_dist;
const DistType* const negative_binomial_dist = &scalar_type<NegativeBinomial>;
extern const DistType* const neg_binomial_dist;
const DistType* const neg_binomial_dist = &scalar_type<NegBinomial>;
extern const DistType* const neg_binomial_log_dist;
const DistType* const neg_binomial_log_dist = &scalar_type<NegBinomialLog>;

}  // namespace chancel
