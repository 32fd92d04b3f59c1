// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] kid_score;
  vector[N] mom_iq;
}
parameters {
  vector[2] beta;
  real<lower=0> sigma;
}
model {
  target += cauchy_lpdf(sigma | 0, 2.5) + log(2);
  target += normal_lpdf(kid_score | beta[1] + beta[2] * mom_iq, sigma);
}
