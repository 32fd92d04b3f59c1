// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  real x[N];
  vector[N] y;
}
transformed data {
  vector[N] zero = rep_vector(0, N);
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  matrix[N, N] covariance = cov_exp_quad(x, alpha, rho) + diag_matrix(rep_vector(sigma, N));
  target += gamma_lpdf(rho | 25, 4);
  target += normal_lpdf(alpha | 0, 2) + log(2);
  target += normal_lpdf(sigma | 0, 1) + log(2);
  target += multi_normal_cholesky_lpdf(y | zero, cholesky_decompose(covariance));
}
