// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] X;
  vector[N] y;
}
parameters {
  vector[D] beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(beta | 0, 10);
  target += normal_lpdf(sigma | 0, 10) + log(2);
  target += normal_lpdf(y | X * beta, sigma);
}
