// SPDX-License-Identifier: Apache-2.0
// The standard normal distribution: its distribution function, also far out in the tails, and the
// inverse.
#pragma once

namespace chancel {

double normal_cdf(double z);
double log_normal_cdf(double z);  // accurate far into the left tail
// log(Phi(b) - Phi(a)) for a <= b, accurate in both tails.
double log_normal_interval(double a, double b);
// p in (0, 1); -inf at 0, +inf at 1, NaN outside. Relative error below 1e-15.
double normal_quantile(double p);

}  // namespace chancel
