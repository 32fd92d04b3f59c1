// SPDX-License-Identifier: Apache-2.0
// The exact answers, computed here in milliseconds to a second and independently of the engines and
// of models/compute_truth.py: forward-backward for the HMM, all partitions for the DP mixture, sums
// for branching, conjugacy for Marsaglia. Each also without observes (the paper's measure tests).
#pragma once
#include <string>
#include <vector>

namespace chancel::paper {

// The law of what a program predicts: independent-looking rows of a discrete law over first,
// first+1, ... (one row a marginal), or one normal.
struct Law {
  bool normal = false;
  std::vector<std::vector<double>> rows;
  int first = 0;
  double mean = 0, sd = 1;
  double log_evidence = 0;
  double cdf(double x) const;  // normal
};

std::vector<double> hmm_data();            // of the paper's text
std::vector<double> hmm_worksheet_data();  // with the signs of the authors' worksheet
Law hmm_law(const std::vector<double>& observations);
Law hmm_prior_law();  // the 17 states without observations

// How the normal and gamma of the DP mixture are read. NormalGamma: precision ~ gamma(a, rate b),
// mean ~ normal with kappa times that precision. Scale: 1/v ~ exponential(b), mean and data with
// standard deviation v (the original program read literally; a and kappa have no say).
struct MixturePrior {
  bool normal_gamma = true;
  double kappa = 100, a = 1, b = 10;
};
struct PartitionSum {
  Law law;  // number of clusters, 1 to 10
  std::size_t partitions = 0;
};
PartitionSum mixture_law(const MixturePrior& prior);
Law mixture_prior_law();

// `second_fib`: fib starts 1, 1 (the original program) and not 0, 1.
Law branching_law(bool second_fib);
Law branching_prior_law();

Law marsaglia_law();
Law marsaglia_prior_law();

// The largest difference between a law and that of a program in models/*/truth.json.
double difference_to_file(const Law& law, const std::string& model, const std::string& program);

}  // namespace chancel::paper
