// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real phi;
  real theta;
  real<lower=0> sigma;
}
model {
  vector[N] err;
  err[1] = y[1] - (mu + phi * mu);
  for (n in 2:N) err[n] = y[n] - (mu + phi * y[n - 1] + theta * err[n - 1]);
  target += normal_lpdf(mu | 0, 2);
  target += normal_lpdf(phi | 0, 2);
  target += normal_lpdf(theta | 0, 2);
  target += cauchy_lpdf(sigma | 0, 2.5) + log(2);
  target += normal_lpdf(err | 0, sigma);
}
