// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(alpha | 0, 5);
  target += normal_lpdf(beta | 0, 2.5);
  target += normal_lpdf(sigma | 0, 5) + log(2);
  target += normal_lpdf(y | alpha + X * beta, sigma);
}
