// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> J;
  int<lower=1, upper=J> group[N];
  vector[N] x;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> tau;
  real slope;
  real<lower=0> sigma;
  vector[J] z;
}
model {
  vector[J] effect = tau * z;
  target += normal_lpdf(mu | 0, 5);
  target += normal_lpdf(tau | 0, 2) + log(2);
  target += normal_lpdf(slope | 0, 2.5);
  target += normal_lpdf(sigma | 0, 5) + log(2);
  target += normal_lpdf(z | 0, 1);
  target += normal_lpdf(y | mu + effect[group] + slope * x, sigma);
}
