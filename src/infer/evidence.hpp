// SPDX-License-Identifier: Apache-2.0
// Estimates of the evidence and how far off they may be. LogMoments keeps mean and variance of
// numbers given by their logarithms (weights of executions, evidence estimates of independent
// sweeps). RunEvidence is their mean over a run that ends when it has its draws. genealogy_error() is the
// estimator of Lee & Whiteley (2018): the relative variance of one sweep's evidence from the family
// tree of its final particles alone.
//
// Standard errors come from few numbers, so they are widened (Student's t): twice the error shown
// covers the truth in about 95 of 100 runs, also for three launches of a cascade or one sweep of
// five particles. Where the numbers are too few or too unlike to tell, there is none.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "math/log_space.hpp"

namespace chancel {

// What to multiply a standard error with that rests on `freedom` degrees of freedom, so that two of
// it cover as much as two of a known one.
double widening(double freedom);

class LogMoments {
 public:
  void add(double log_value);  // -inf counts as zero
  void add(const LogMoments& others);
  std::uint64_t count() const { return count_; }
  double log_mean() const;  // -inf when all values were zero
  // Standard error of log_mean(): that of the mean over the mean, widened. NaN when one value makes
  // up most of the mean, or a few and they lie far apart.
  double log_mean_se() const;
  double top_share() const { return sum_ > 0 ? 1 / sum_ : 0; }  // of the largest value in the sum
  double log_spread() const;  // standard deviation of the logarithms of values above zero

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::uint64_t count_ = 0;
  double high_ = kLogZero;  // values are kept relative to exp(high_), the largest
  double sum_ = 0;
  double squares_ = 0;
  // of the logarithms
  std::uint64_t positive_ = 0;
  double log_average_ = 0;
  double log_squares_ = 0;
};

// The mean of independent unbiased estimates of the evidence, of which some are zero (sweeps that
// die out, executions that contradict the observations) and give no draws. A run that ends when it
// has a given number of draws always ends with a nonzero estimate: counting it like the others
// would make the mean too large, so it is left out ((n - 1) / (N - 1) for the n-th success at the
// N-th trial, the unbiased estimate of Girshick, Mosteller & Savage 1946). Where no estimate can be
// zero, their number is known in advance, and all count.
class RunEvidence {
 public:
  explicit RunEvidence(std::uint64_t wanted) : wanted_(wanted) {}  // draws; 0 = the run has no end
  // An estimate, the draws that come of it, and whether it might have been zero.
  void add(double log_value, std::uint64_t draws, bool fragile = false);
  // The run has its draws, but all from one estimate: it needs a second nonzero one.
  bool wants_more() const { return wanted_ > 0 && given_ >= wanted_ && !closed_; }
  const LogMoments& values() const { return values_; }

  void save(ByteWriter& to) const;
  void restore(ByteReader& from);

 private:
  std::uint64_t wanted_;
  std::uint64_t given_ = 0;
  std::uint64_t alive_ = 0;
  bool fragile_ = false;
  bool closed_ = false;
  LogMoments values_;
};

// The error of a sweep's evidence, estimated from its genealogy.
struct SweepError {
  double variance = 0;  // of the sweep's evidence over its square; NaN: too few families to tell
  double families = 0;  // that carry the weight
  double log_evidence_se() const;
};
// `roots[i]` is the index of particle i's root ancestor, `weights` the weights whose sum
// completes the evidence, `resamplings` how often ancestors were drawn multinomially before (0 for
// schemes of low variance, whose offspring follow the weights). `scratch` is kept by the caller.
SweepError genealogy_error(std::span<const std::uint32_t> roots, std::span<const double> weights,
                           double sum, std::uint64_t resamplings, std::vector<double>& scratch);

}  // namespace chancel
