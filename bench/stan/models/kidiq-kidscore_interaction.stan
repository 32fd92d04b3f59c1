// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] kid_score;
  vector[N] mom_hs;
  vector[N] mom_iq;
}
transformed data {
  vector[N] both = mom_hs .* mom_iq;
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  target += cauchy_lpdf(sigma | 0, 2.5) + log(2);
  target += normal_lpdf(kid_score | beta[1] + beta[2] * mom_hs + beta[3] * mom_iq + beta[4] * both, sigma);
}
