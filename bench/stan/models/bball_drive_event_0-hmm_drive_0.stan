// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  int<lower=0> K;
  real<lower=0> u[N];
  real<lower=0> v[N];
  matrix<lower=0>[K, K] alpha;
}
parameters {
  simplex[K] theta1;
  simplex[K] theta2;
  positive_ordered[K] phi;
  positive_ordered[K] lambda;
}
model {
  vector[K] log_alpha;
  matrix[K, K] log_theta;  // row: from, column: to
  log_theta[1] = log(theta1)';
  log_theta[2] = log(theta2)';
  target += dirichlet_lpdf(theta1 | alpha[1]');
  target += dirichlet_lpdf(theta2 | alpha[2]');
  target += normal_lpdf(phi[1] | 0, 1);
  target += normal_lpdf(phi[2] | 3, 1);
  target += normal_lpdf(lambda[1] | 0, 1);
  target += normal_lpdf(lambda[2] | 3, 1);
  for (k in 1:K) log_alpha[k] = exponential_lpdf(u[1] | phi[k]) + exponential_lpdf(v[1] | lambda[k]);
  for (t in 2:N) {
    vector[K] before = log_alpha;
    for (k in 1:K)
      log_alpha[k] = log_sum_exp(before + col(log_theta, k)) + exponential_lpdf(u[t] | phi[k])
                     + exponential_lpdf(v[t] | lambda[k]);
  }
  target += log_sum_exp(log_alpha);
}
