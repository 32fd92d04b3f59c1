// SPDX-License-Identifier: Apache-2.0
// (bernoulli-logit logit) and (binomial-logit n logit): bernoulli and binomial whose probability is
// the sigmoid of a number. Nothing is lost where the sigmoid rounds to 0 or 1.
#include "dist/kernel/binomial.hpp"

#include "dist/scalar.hpp"

namespace chancel {
namespace {

struct BernoulliLogit {
  static constexpr const char* kName = "bernoulli-logit";
  static constexpr const char* kDoc = "1 with probability 1 / (1 + exp(-logit)), else 0.";
  static constexpr Parameter kParameters[] = {{"logit", Rule::Finite}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = IntegerKind;

  double logit;
  explicit BernoulliLogit(const double* q) : logit(q[0]) {}

  double sample(Stream& stream) const { return stream.uniform() < sigmoid(logit) ? 1 : 0; }
  double log_prob(double x) const {
    return x == 1 || x == 0 ? log_sigmoid(x == 1 ? logit : -logit) : kLogZero;
  }
  void gradient(double x, double* g) const {
    g[0] = 0;
    g[1] = x == 1 ? sigmoid(-logit) : -sigmoid(logit);
  }
  double average() const { return sigmoid(logit); }
  double variance() const { return sigmoid(logit) * sigmoid(-logit); }
  double cdf(double x) const { return x < 0 ? 0 : x < 1 ? sigmoid(-logit) : 1; }
  double quantile(double q) const { return q <= sigmoid(-logit) ? 0 : 1; }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = 1; }
};

struct BinomialLogit {
  static constexpr const char* kName = "binomial-logit";
  static constexpr const char* kDoc =
      "Number of successes in n trials, each with probability 1 / (1 + exp(-logit)).";
  static constexpr Parameter kParameters[] = {{"n", Rule::Count}, {"logit", Rule::Finite}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = CountKind;

  double n, logit;
  explicit BinomialLogit(const double* q) : n(q[0]), logit(q[1]) {}

  double sample(Stream& stream) const { return draw_binomial(n, sigmoid(logit), stream); }
  double log_prob(double k) const {
    if (k < 0 || k > n) return kLogZero;
    return binomial_log_mass(n, sigmoid(logit), log_sigmoid(logit), log_sigmoid(-logit), k);
  }
  void gradient(double k, double* g) const {
    g[0] = g[1] = 0;
    g[2] = k * sigmoid(-logit) - (n - k) * sigmoid(logit);
  }
  double average() const { return n * sigmoid(logit); }
  double variance() const { return n * sigmoid(logit) * sigmoid(-logit); }
  void bounds(double* lower, double* upper) const { *lower = 0, *upper = n; }
};

}  // namespace

extern const DistType* const bernoulli_logit_dist;
const DistType* const bernoulli_logit_dist = &scalar_type<BernoulliLogit>;
extern const DistType* const binomial_logit_dist;
const DistType* const binomial_logit_dist = &scalar_type<BinomialLogit>;

}  // namespace chancel
