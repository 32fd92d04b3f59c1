// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] X;
  int<lower=0, upper=1> y[N];
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  target += normal_lpdf(alpha | 0, 5);
  target += normal_lpdf(beta | 0, 2.5);
  target += bernoulli_logit_lpmf(y | alpha + X * beta);
}
