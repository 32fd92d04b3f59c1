// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
transformed parameters {
  vector[J] theta = mu + tau * z;
}
model {
  target += normal_lpdf(mu | 0, 5);
  target += cauchy_lpdf(tau | 0, 5) + log(2);
  target += normal_lpdf(z | 0, 1);
  target += normal_lpdf(y | theta, sigma);
}
