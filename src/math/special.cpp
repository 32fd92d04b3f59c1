// SPDX-License-Identifier: Apache-2.0
#include "math/special.hpp"

#include <math.h>  // lgamma_r is not in std

#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/owens_t.hpp>
#include <limits>

#include "math/elementary.hpp"

namespace chancel {
namespace {

namespace bp = boost::math::policies;
using Quiet =
    bp::policy<bp::promote_double<false>, bp::promote_float<false>,
               bp::domain_error<bp::ignore_error>, bp::pole_error<bp::ignore_error>,
               bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
               bp::denorm_error<bp::ignore_error>, bp::rounding_error<bp::ignore_error>,
               bp::evaluation_error<bp::ignore_error>,
               bp::indeterminate_result_error<bp::ignore_error>>;
constexpr Quiet kQuiet{};
constexpr double kInf = std::numeric_limits<double>::infinity();
// From here on Stirling's series is exact to the last digit.
constexpr double kStirlingFrom = 16;

}  // namespace

double log_gamma(double x) noexcept {
  int sign;
  return ::lgamma_r(x, &sign);
}

double log_factorial(double n) noexcept {
  static const std::array<double, 256> table = [] {
    std::array<double, 256> t{};
    for (int i = 0; i < 256; ++i) t[static_cast<std::size_t>(i)] = log_gamma(i + 1.0);
    return t;
  }();
  if (n < 256) return table[static_cast<std::size_t>(n)];
  return log_gamma(n + 1);
}

// Plain differences of log_gamma lose what the large argument has in digits; by Stirling's series its
// large parts cancel on paper (DiDonato and Morris 1992, algorithm 708). What is left are terms of one
// sign, or terms of the size of log_gamma(small).
double log_beta(double a, double b) noexcept {
  const double small = std::fmin(a, b);
  const double large = std::fmax(a, b);
  if (!(small > 0 && large >= kStirlingFrom))
    return log_gamma(small) + (log_gamma(large) - log_gamma(a + b));
  if (large == kInf) return -kInf;
  const double ratio = small / large;
  const double tails = stirling_error(large) - stirling_error(a + b);
  if (small < kStirlingFrom)
    return log_gamma(small) + tails - (large + (small - 0.5)) * math::log1p(ratio) -
           small * (math::log(large) - 1);
  return kLogSqrtTwoPi - 0.5 * math::log(large) + (stirling_error(small) + tails) +
         (small - 0.5) * math::log(ratio / (1 + ratio)) - large * math::log1p(ratio);
}

double log_multivariate_gamma(double a, std::int64_t d) noexcept {
  const auto dimension = static_cast<double>(d);
  double result = 0.25 * dimension * (dimension - 1) * kLogPi;
  for (std::int64_t j = 0; j < d; ++j) result += log_gamma(a - 0.5 * static_cast<double>(j));
  return result;
}

double gamma_function(double x) noexcept { return boost::math::tgamma(x, kQuiet); }
double digamma(double x) noexcept { return boost::math::digamma(x, kQuiet); }

namespace {

struct BesselPair {
  double i0, difference;  // exp(-x) I0(x) and exp(-x) (I0(x) - I1(x)), up to a common factor
  double log_factor;
};

// Terms of one sign below 20; from there on the asymptotic series, whose least term is then e^-40.
BesselPair bessel_pair(double x) {
  if (x < 20) {
    const double q = 0.25 * x * x;
    double i0 = 1, i1 = 0.5 * x;
    double t0 = i0, t1 = i1;
    for (int k = 1; t0 > 1e-18 * i0; ++k) {
      i0 += t0 *= q / (static_cast<double>(k) * k);
      i1 += t1 *= q / (static_cast<double>(k) * (k + 1));
    }
    return {i0, i0 - i1, -x};
  }
  double i0 = 1, difference = 0;
  double a = 1, b = 1;
  for (int k = 1; a > 1e-18; ++k) {
    const double odd = 2 * k - 1;
    a *= odd * odd / (8 * k * x);
    b *= (odd * odd - 4) / (8 * k * x);
    i0 += a;
    difference += a - b;
  }
  return {i0, difference, -0.5 * (kLogTwoPi + math::log(x))};
}

}  // namespace

double log_bessel_i0_scaled(double x) noexcept {
  const BesselPair b = bessel_pair(x);
  return b.log_factor + math::log(b.i0);
}
double one_minus_bessel_ratio(double x) noexcept {
  const BesselPair b = bessel_pair(x);
  return b.difference / b.i0;
}

double gamma_p(double a, double x) {
  if (x <= 0) return 0;
  return x == kInf ? 1 : boost::math::gamma_p(a, x, kQuiet);
}
double gamma_q(double a, double x) {
  if (x <= 0) return 1;
  return x == kInf ? 0 : boost::math::gamma_q(a, x, kQuiet);
}
double gamma_p_inverse(double a, double p) {
  if (p <= 0) return 0;
  return p >= 1 ? kInf : boost::math::gamma_p_inv(a, p, kQuiet);
}
double gamma_q_inverse(double a, double q) {
  if (q <= 0) return kInf;
  return q >= 1 ? 0 : boost::math::gamma_q_inv(a, q, kQuiet);
}
double beta_i(double a, double b, double x) {
  if (x <= 0) return 0;
  return x >= 1 ? 1 : boost::math::ibeta(a, b, x, kQuiet);
}
double beta_i_inverse(double a, double b, double p) {
  if (p <= 0) return 0;
  return p >= 1 ? 1 : boost::math::ibeta_inv(a, b, p, kQuiet);
}

double owens_t(double h, double a) { return boost::math::owens_t(h, a, kQuiet); }

double student_t_cdf(double nu, double t) {
  const double t2 = t * t;
  if (!(t2 < kInf)) return t < 0 ? 0 : 1;
  // Half the two-sided tail, from whichever incomplete beta keeps its digits.
  const double half = t2 > nu ? 0.5 * beta_i(nu / 2, 0.5, nu / (nu + t2))
                              : 0.5 * (1 - beta_i(0.5, nu / 2, t2 / (nu + t2)));
  return t < 0 ? half : 1 - half;
}

double student_t_quantile(double nu, double p) {
  if (p <= 0) return -kInf;
  if (p >= 1) return kInf;
  if (p == 0.5) return 0;
  const double tail = std::fmin(p, 1 - p);
  double size;
  if (tail > 0.25) {  // near the centre: work with the part between 0 and t
    const double y = beta_i_inverse(0.5, nu / 2, 1 - 2 * tail);
    size = std::sqrt(nu * y / (1 - y));
  } else {
    const double y = beta_i_inverse(nu / 2, 0.5, 2 * tail);
    size = std::sqrt(nu * (1 - y) / y);
  }
  return p < 0.5 ? -size : size;
}

double stirling_error(double n) {
  if (n < kStirlingFrom) return log_factorial(n) - (kLogSqrtTwoPi + (n + 0.5) * math::log(n) - n);
  const double r = 1 / (n * n);
  return (1.0 / 12 - r * (1.0 / 360 - r * (1.0 / 1260 - r * (1.0 / 1680 - r / 1188)))) / n;
}

double deviance(double x, double m) {
  if (std::fabs(x - m) < 0.1 * (x + m)) {
    const double v = (x - m) / (x + m);
    double sum = (x - m) * v;
    double term = 2 * x * v;
    for (int j = 1; j < 1000; ++j) {
      term *= v * v;
      const double next = sum + term / (2 * j + 1);
      if (next == sum) break;
      sum = next;
    }
    return sum;
  }
  return x * math::log(x / m) + m - x;
}

}  // namespace chancel
