// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> K;
  real y[N];
}
parameters {
  simplex[K] theta1;
  simplex[K] theta2;
  positive_ordered[K] mu;
}
model {
  vector[K] log_alpha;
  matrix[K, K] log_theta;  // row: from, column: to
  log_theta[1] = log(theta1)';
  log_theta[2] = log(theta2)';
  target += normal_lpdf(mu[1] | 3, 1);
  target += normal_lpdf(mu[2] | 10, 1);
  for (k in 1:K) log_alpha[k] = normal_lpdf(y[1] | mu[k], 1);
  for (t in 2:N) {
    vector[K] before = log_alpha;
    for (k in 1:K) log_alpha[k] = log_sum_exp(before + col(log_theta, k)) + normal_lpdf(y[t] | mu[k], 1);
  }
  target += log_sum_exp(log_alpha);
}
