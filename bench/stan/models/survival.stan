// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] X;
  vector<lower=0>[N] time;
  int<lower=0, upper=1> event[N];
}
transformed data {
  int seen[sum(event)];
  int cut[N - sum(event)];
  int s = 0;
  int c = 0;
  for (n in 1:N) {
    if (event[n] == 1) {
      s += 1;
      seen[s] = n;
    } else {
      c += 1;
      cut[c] = n;
    }
  }
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> shape;
}
model {
  vector[N] scale = exp(alpha + X * beta);
  target += normal_lpdf(alpha | 0, 2);
  target += normal_lpdf(beta | 0, 1);
  target += gamma_lpdf(shape | 2, 1);
  target += weibull_lpdf(time[seen] | shape, scale[seen]);
  target += weibull_lccdf(time[cut] | shape, scale[cut]);
}
