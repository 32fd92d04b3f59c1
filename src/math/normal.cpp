// SPDX-License-Identifier: Apache-2.0
#include "math/normal.hpp"

#include <cmath>
#include <limits>

#include "math/elementary.hpp"
#include "math/log_space.hpp"
#include "math/special.hpp"

namespace chancel {
namespace {

constexpr double kSqrtHalf = 0.707106781186547524401;

double ratio(double r, const double (&a)[8], const double (&b)[8]) {
  double top = a[7];
  double bottom = b[7];
  for (int i = 6; i >= 0; --i) {
    top = top * r + a[i];
    bottom = bottom * r + b[i];
  }
  return top / bottom;
}

constexpr double kMiddleTop[8] = {
    3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727};
constexpr double kMiddleBottom[8] = {1.0,
                                     42.313330701600911252,
                                     687.18700749205790830,
                                     5394.1960214247511077,
                                     21213.794301586595867,
                                     39307.895800092710610,
                                     28729.085735721942674,
                                     5226.4952788528545610};
constexpr double kNearTop[8] = {1.42343711074968357734,   4.63033784615654529590,
                                5.76949722146069140550,   3.64784832476320460504,
                                1.27045825245236838258,   0.241780725177450611770,
                                0.0227238449892691845833, 7.74545014278341407640e-4};
constexpr double kNearBottom[8] = {1.0,
                                   2.05319162663775882187,
                                   1.67638483018380384940,
                                   0.689767334985100004550,
                                   0.148103976427480074590,
                                   0.0151986665636164571966,
                                   5.47593808499534494600e-4,
                                   1.05075007164441684324e-9};
constexpr double kFarTop[8] = {6.65790464350110377720,    5.46378491116411436990,
                               1.78482653991729133580,    0.296560571828504891230,
                               0.0265321895265761230930,  0.00124266094738807843860,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double kFarBottom[8] = {1.0,
                                  0.599832206555887937690,
                                  0.136929880922735805310,
                                  0.0148753612908506148525,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

}  // namespace

double normal_cdf(double z) { return 0.5 * std::erfc(-z * kSqrtHalf); }

double log_normal_cdf(double z) {
  if (z > -8) return math::log(normal_cdf(z));
  // phi(z)/|z| times the continued fraction of Mills' ratio, here by its Laplace form from the
  // inside.
  double fraction = -z;
  for (int k = 40; k > 0; --k) fraction = -z + k / fraction;
  return -0.5 * z * z - kLogSqrtTwoPi - math::log(fraction);
}

double log_normal_interval(double a, double b) {
  if (a > 0) return log_normal_interval(-b, -a);
  // Now a <= 0. With both on the left the logs subtract cleanly; otherwise the plain difference
  // does.
  if (b <= 0) return log_subtract(log_normal_cdf(b), log_normal_cdf(a));
  return math::log1p(-(normal_cdf(a) + normal_cdf(-b)));
}

// Algorithm AS 241, routine PPND16 (Wichura, Applied Statistics 37, 1988): rational approximations
// in the middle and in both tails. The same formula as R's qnorm, so that rank-normalised
// statistics agree with the R package posterior.
double normal_quantile(double p) {
  if (std::isnan(p) || p < 0 || p > 1) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -std::numeric_limits<double>::infinity();
  if (p == 1) return std::numeric_limits<double>::infinity();
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) return q * ratio(0.180625 - q * q, kMiddleTop, kMiddleBottom);
  const double r = std::sqrt(-math::log(q < 0 ? p : 1 - p));
  const double x =
      r <= 5 ? ratio(r - 1.6, kNearTop, kNearBottom) : ratio(r - 5, kFarTop, kFarBottom);
  return q < 0 ? -x : x;
}

}  // namespace chancel
