// SPDX-License-Identifier: Apache-2.0
// (hypergeometric draws successes failures): the successes among `draws` items that are taken without replacement from
// `successes` and `failures` items. Masses are ratios of beta functions, which keep their digits for large urns. A draw
// inverts the distribution function from the mode outwards: about as many steps as the standard deviation.
#include "dist/scalar.hpp"
#include "math/elementary.hpp"

namespace chancel {
namespace {

struct Hypergeometric {
  static constexpr const char* kName = "hypergeometric";
  static constexpr const char* kDoc = "Successes among items that are drawn without replacement.";
  static constexpr Parameter kParameters[] = {
      {"draws", Rule::Count}, {"successes", Rule::Count}, {"failures", Rule::Count}};
  static constexpr DistSupport kSupport = DistSupport::FiniteIntegers;
  using Kind = CountKind;
  static Problem check(const double* p) {
    if (!(p[1] + p[2] <= 1e12)) return {"successes + failures must be at most 1e12", 1};
    if (p[0] > p[1] + p[2]) return {"draws must be at most successes + failures", 0};
    return {};
  }

  double draws, successes, failures, log_norm;
  explicit Hypergeometric(const double* p)
      : draws(p[0]),
        successes(p[1]),
        failures(p[2]),
        log_norm(log_choose(successes + failures, draws)) {}

  // log C(n, k) as 1 / ((n + 1) B(n - k + 1, k + 1)).
  static double log_choose(double n, double k) {
    return k == 0 || k == n ? 0 : -math::log(n + 1) - log_beta(n - k + 1, k + 1);
  }
  double least() const { return std::fmax(0, draws - failures); }
  double most() const { return std::fmin(draws, successes); }
  double mode() const {
    const double at = std::floor((draws + 1) * (successes + 1) / (successes + failures + 2));
    return std::fmin(std::fmax(at, least()), most());
  }
  // mass(k + 1) / mass(k)
  double ratio(double k) const {
    return (successes - k) / (k + 1) * ((draws - k) / (failures - draws + k + 1));
  }

  double sample(Stream& stream) const {
    double u = stream.uniform_open();
    double low = mode(), high = low;
    double low_mass = math::exp(log_prob(low)), high_mass = low_mass;
    u -= low_mass;
    while (u > 0 && (low > least() || high < most())) {
      if (high < most()) {
        high_mass *= ratio(high);
        ++high;
        u -= high_mass;
        if (u <= 0) return high;
      }
      if (low > least()) {
        --low;
        low_mass /= ratio(low);
        u -= low_mass;
        if (u <= 0) return low;
      }
      if (low_mass + high_mass < 1e-300) break;  // what is left of u is rounding
    }
    return mode();
  }
  double log_prob(double k) const {
    if (!(k >= least() && k <= most())) return kLogZero;
    return log_choose(successes, k) + log_choose(failures, draws - k) - log_norm;
  }
  // Parameters and values are whole numbers.
  void gradient(double, double* g) const { g[0] = g[1] = g[2] = g[3] = 0; }
  double average() const {
    return successes + failures == 0 ? 0 : draws * (successes / (successes + failures));
  }
  double variance() const {
    const double all = successes + failures;
    if (all <= 1) return 0;
    return draws * (successes / all) * (failures / all) * ((all - draws) / (all - 1));
  }
  // Summed from the nearer end of the support until masses no longer count.
  double cdf(double x) const {
    const double k = std::floor(x);
    if (k < least()) return 0;
    if (k >= most()) return 1;
    const bool below = k < mode();
    double sum = 0;
    double mass = math::exp(log_prob(below ? k : k + 1));
    for (double at = below ? k : k + 1; mass > 0 && sum + mass != sum;) {
      sum += mass;
      if (below) {
        if (at <= least()) break;
        --at;
        mass /= ratio(at);
      } else {
        if (at >= most()) break;
        mass *= ratio(at);
        ++at;
      }
    }
    return std::fmin(std::fmax(below ? sum : 1 - sum, 0), 1);
  }
  double quantile(double q) const { return integer_quantile(*this, q, least(), most(), average()); }
  void bounds(double* lower, double* upper) const { *lower = least(), *upper = most(); }
};

}  // namespace

extern const DistType* const hypergeometric_dist;
const DistType* const hypergeometric_dist = &scalar_type<Hypergeometric>;

}  // namespace chancel
