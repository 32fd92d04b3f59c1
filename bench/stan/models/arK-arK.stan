// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> K;
  int<lower=0> T;
  real y[T];
}
parameters {
  real alpha;
  real beta[K];
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(alpha | 0, 10);
  target += normal_lpdf(beta | 0, 10);
  target += cauchy_lpdf(sigma | 0, 2.5) + log(2);
  for (t in (K + 1):T) {
    real mean_t = alpha;
    for (k in 1:K) mean_t += beta[k] * y[t - k];
    target += normal_lpdf(y[t] | mean_t, sigma);
  }
}
