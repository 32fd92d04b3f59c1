// SPDX-License-Identifier: Apache-2.0
// (poisson lambda): counts with mean lambda. (poisson 0) is the point mass at 0, so that programs
// in which a rate happens to be drawn as 0 continue. (poisson-log log-rate): the same by the
// logarithm of the mean.
#include "dist/kernel/poisson.hpp"

#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Poisson {
  static constexpr const char* kName = "poisson";
  static constexpr const char* kDoc = "Poisson distribution with the given mean.";
  static constexpr Parameter kParameters[] = {{"lambda", Rule::NonNegative}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* p) {
    if (p[0] <= 1e15) return {};
    return {"lambda must be at most 1e15", 0};
  }

  double lambda, log_lambda, exp_minus_lambda;
  explicit Poisson(const double* p)
      : lambda(p[0]), log_lambda(math::log(lambda)), exp_minus_lambda(math::exp(-lambda)) {}

  double sample(Stream& stream) const {
    return lambda < 10 ? draw_poisson_small(exp_minus_lambda, lambda, stream)
                       : draw_poisson_large(lambda, log_lambda, stream);
  }
  double log_prob(double k) const {
    return k < 0 ? kLogZero : poisson_log_mass(lambda, log_lambda, k);
  }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = (k == 0 ? 0 : k / lambda) - 1;
  }
  double average() const { return lambda; }
  double variance() const { return lambda; }
  double cdf(double x) const {
    if (x < 0) return 0;
    return lambda == 0 ? 1 : gamma_q(std::floor(x) + 1, lambda);
  }
  double log_tail(double x) const {
    if (x < 0) return 0;
    return lambda == 0 ? kLogZero : math::log(gamma_p(std::floor(x) + 1, lambda));
  }
  double quantile(double p) const {
    if (lambda == 0) return 0;
    const double sd = std::sqrt(lambda);
    return integer_quantile(*this, p, 0, kInfinity, rough_quantile(p, lambda, sd, 1 / sd));
  }
  void bounds(double* lower, double* upper) const {
    *lower = 0, *upper = lambda == 0 ? 0 : kInfinity;
  }
};

struct PoissonLog {
  static constexpr const char* kName = "poisson-log";
  static constexpr const char* kDoc = "Poisson distribution with mean exp(log-rate).";
  static constexpr Parameter kParameters[] = {{"log-rate", Rule::Finite}};
  static constexpr DistSupport kSupport = DistSupport::NonNegativeIntegers;
  using Kind = CountKind;
  static Problem check(const double* p) {
    if (p[0] <= 34.5) return {};
    return {"log-rate must be at most 34.5, a mean of 1e15", 0};
  }

  double log_lambda, lambda;
  explicit PoissonLog(const double* p) : log_lambda(p[0]), lambda(math::exp(log_lambda)) {}

  double sample(Stream& stream) const { return draw_poisson(lambda, stream); }
  double log_prob(double k) const {
    return k < 0 ? kLogZero : poisson_log_mass(lambda, log_lambda, k);
  }
  void gradient(double k, double* g) const {
    g[0] = 0;
    g[1] = k - lambda;
  }
  double average() const { return lambda; }
  double variance() const { return lambda; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = kInfinity; }
};

}  // namespace

extern const DistType* const poisson_dist;
const DistType* const poisson_dist = &scalar_type<Poisson>;
extern const DistType* const poisson_log_dist;
const DistType* const poisson_log_dist = &scalar_type<PoissonLog>;

}  // namespace chancel
