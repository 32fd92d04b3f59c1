// SPDX-License-Identifier: Apache-2.0
// Estimates of the evidence and how far off they may be. LogMoments keeps mean and variance of
// numbers given by their logarithms (weights of executions, evidence estimates of independent
// sweeps). genealogy_variance is the estimator of Lee & Whiteley (2018): the relative variance of
// one sweep's evidence from the family tree of its final particles alone.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "math/log_space.hpp"

namespace chancel {

class LogMoments {
 public:
  void add(double log_value);  // -inf counts as zero
  std::uint64_t count() const { return count_; }
  double log_mean() const;  // -inf when all values were zero
  // Standard error of log_mean(): that of the mean over the mean. NaN for fewer than two values.
  double log_mean_se() const;

 private:
  std::uint64_t count_ = 0;
  double high_ = kLogZero;  // values are kept relative to exp(high_)
  double sum_ = 0;
  double squares_ = 0;
};

// `roots[i]` is the index of particle i's root ancestor, `weights` the weights that settle the
// evidence, `resamplings` how often ancestors were drawn multinomially before (0 for schemes of low
// variance, whose offspring follow the weights). Relative variance, >= 0; NaN when the tree has too
// few families to tell. `scratch` is kept by the caller.
double genealogy_variance(std::span<const std::uint32_t> roots, std::span<const double> weights,
                          double sum, std::uint64_t resamplings, std::vector<double>& scratch);

}  // namespace chancel
