// SPDX-License-Identifier: Apache-2.0
// One distribution of Stan at a time, on the numbers as they are: see densities.R.
data { int which; int k; int n; }
parameters { vector[4] q; }
model {
  real x = q[1]; real a = q[2]; real b = q[3]; real c = q[4];
  if (which == 1) target += normal_lpdf(x | a, b);
  else if (which == 2) target += cauchy_lpdf(x | a, b);
  else if (which == 3) target += student_t_lpdf(x | a, b, c);
  else if (which == 4) target += double_exponential_lpdf(x | a, b);
  else if (which == 5) target += logistic_lpdf(x | a, b);
  else if (which == 6) target += gumbel_lpdf(x | a, b);
  else if (which == 7) target += lognormal_lpdf(x | a, b);
  else if (which == 8) target += exponential_lpdf(x | a);
  else if (which == 9) target += gamma_lpdf(x | a, b);
  else if (which == 10) target += inv_gamma_lpdf(x | a, b);
  else if (which == 11) target += weibull_lpdf(x | a, b);
  else if (which == 12) target += beta_lpdf(x | a, b);
  else if (which == 13) target += pareto_lpdf(x | a, b);
  else if (which == 14) target += von_mises_lpdf(x | a, b);
  else if (which == 15) target += chi_square_lpdf(x | a);
  else if (which == 16) target += uniform_lpdf(x | a, b);
  else if (which == 17) target += poisson_lpmf(k | a);
  else if (which == 18) target += poisson_log_lpmf(k | a);
  else if (which == 19) target += neg_binomial_2_lpmf(k | a, b);
  else if (which == 20) target += binomial_lpmf(k | n, a);
  else if (which == 21) target += binomial_logit_lpmf(k | n, a);
  else if (which == 22) target += bernoulli_logit_lpmf(1 | a);
  else if (which == 23) target += bernoulli_lpmf(0 | a);
  else if (which == 24) target += beta_binomial_lpmf(k | n, a, b);
}
