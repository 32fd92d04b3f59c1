// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] earn;
  vector[N] height;
}
parameters {
  vector[2] beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(earn | beta[1] + beta[2] * height, sigma);
}
