// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
  real pmualpha;
  real psalpha;
  real pmubeta;
  real psbeta;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(alpha | pmualpha, psalpha);
  target += normal_lpdf(beta | pmubeta, psbeta);
  target += normal_lpdf(y | alpha + beta * x, sigma);
}
