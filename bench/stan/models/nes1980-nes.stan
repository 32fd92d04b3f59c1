// SPDX-License-Identifier: Apache-2.0
data {
  int<lower=0> N;
  vector[N] partyid7;
  vector[N] real_ideo;
  vector[N] race_adj;
  int age_discrete[N];
  vector[N] educ1;
  vector[N] gender;
  vector[N] income;
}
transformed data {
  matrix[N, 3] age = rep_matrix(0, N, 3);
  for (n in 1:N)
    if (age_discrete[n] > 1) age[n, age_discrete[n] - 1] = 1;
}
parameters {
  vector[9] beta;
  real<lower=0> sigma;
}
model {
  target += normal_lpdf(partyid7 | beta[1] + beta[2] * real_ideo + beta[3] * race_adj + age * beta[4:6]
                                   + beta[7] * educ1 + beta[8] * gender + beta[9] * income, sigma);
}
