// SPDX-License-Identifier: Apache-2.0
// Special functions for densities, CDFs and quantiles, and for programs. Logarithms of gamma come
// from lgamma_r (no global sign), the rest from Boost.Math with promotion to long double and
// exceptions switched off; Boost is seen by special.cpp only. gnu::const lets the compiler drop calls
// whose result is unused.
#pragma once
#include <cmath>
#include <cstdint>

namespace chancel {

inline constexpr double kLogTwo = 0.693147180559945309417;
inline constexpr double kLogPi = 1.14472988584940017414;
inline constexpr double kLogTwoPi = 1.83787706640934548356;
inline constexpr double kLogSqrtTwoPi = 0.918938533204672741780;
inline constexpr double kPi = 3.14159265358979323846;

[[gnu::const]] double log_gamma(double x) noexcept;  // of |gamma(x)|; +inf at the poles
[[gnu::const]] double gamma_function(double x) noexcept;
// log(n!) for a whole n >= 0; a table below 256.
[[gnu::const]] double log_factorial(double n) noexcept;
// log of |B(a, b)|, the beta function; keeps its digits however large a and b are.
[[gnu::const]] double log_beta(double a, double b) noexcept;
// log of the multivariate gamma function of dimension d.
[[gnu::const]] double log_multivariate_gamma(double a, std::int64_t d) noexcept;
[[gnu::const]] double digamma(double x) noexcept;
// log of exp(-x) I0(x), and 1 - I1(x) / I0(x), for x >= 0 and the modified Bessel functions I.
[[gnu::const]] double log_bessel_i0_scaled(double x) noexcept;
[[gnu::const]] double one_minus_bessel_ratio(double x) noexcept;

// Regularised incomplete gamma P(a, x), its complement Q(a, x), and the x with P(a, x) = p.
double gamma_p(double a, double x);
double gamma_q(double a, double x);
double gamma_p_inverse(double a, double p);
double gamma_q_inverse(double a, double q);
// Regularised incomplete beta I_x(a, b) and the x with I_x(a, b) = p.
double beta_i(double a, double b, double x);
double beta_i_inverse(double a, double b, double p);
// Owen's T: the probability that X > h and 0 < Y < a X for two standard normals.
double owens_t(double h, double a);
double student_t_cdf(double nu, double t);
double student_t_quantile(double nu, double p);

// Loader's (2000) pieces of binomial and Poisson masses that do not cancel for large counts:
// log(n!) - log(sqrt(2 pi n) (n/e)^n), and x log(x/m) + m - x. Below 16, n has to be whole.
double stirling_error(double n);
double deviance(double x, double m);

}  // namespace chancel
