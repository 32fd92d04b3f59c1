// SPDX-License-Identifier: Apache-2.0
// Decides whether weighted draws come from an exact distribution. The draws come in kRuns
// independent runs of equal length.
//
// A statistic is a function f of a draw with a known mean p: an indicator of a value, of a region
// between quantiles, a moment. Run r gives A_r = sum of w f(x) and W_r = sum of w; A_r - p W_r has
// mean zero exactly when weights are proper (importance, SMC and kin: unnormalised weights are
// unbiased) and in equilibrium for Markov chains. Its mean over runs, divided by its standard error
// over runs, follows Student's t with kRuns - 1 degrees of freedom to a good approximation,
// whatever the correlation within a run is. No effective sample size has to be guessed: the runs
// are the batches. A Kolmogorov-Smirnov distance is also taken for continuous distributions; it
// does need an effective size, which is that of the statistics.
//
// False alarms: a cell is judged in two stages. A statistic beyond kFirst (one in 1000 for a right
// engine) sends the cell into a second, independent set of runs, four times as long, and fails only
// if it is beyond kSecond there (one in 10^7): 1e-10 a statistic, and with at most kMostStatistics
// = 10^4 statistics 1e-6 for the whole gate.
//
// Power: a bias of kPower = 6.05 standard errors is beyond kFirst with probability 0.99 (noncentral
// t with 39 degrees of freedom), and beyond kSecond in the longer runs but for 4 in 10^6. So kPower
// times the standard error is the smallest bias that a cell catches, and a cell is run until that
// is at most kBias posterior standard deviations for all its statistics (run_cell.cpp); kEnumeratedBias
// where test/exact has the kernel to 1e-12, which says more than any length. The unit is
// the standard deviation of f under the exact distribution; for a variance it is such that a statistic is
// the bias of the standard deviation.
//
// Estimates of the evidence are positive and skewed, and t statistics of skewed numbers have a long
// left tail: for lognormal runs with a coefficient of variation of 0.3, one in ten million is
// beyond kStudent, of 0.8 one in 10^5. So the evidence has a cap of its own (kEvidenceCap: 0.3 for
// a run), and a cell whose runs spread more widely has to be made longer or left out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "truth.hpp"

namespace measure {

constexpr int kRuns = 40;
// P(|t| > x) for t with 39 degrees of freedom: 1e-3, 1e-7 and, for tests of one stage, 1e-10.
constexpr double kFirst = 3.5581;
constexpr double kSecond = 6.5148;
constexpr double kStudent = 8.7413;
constexpr double kPower = 6.047;  // P(T > kFirst) = 0.99 for noncentral t with this mean
constexpr double kBias = 0.1;
constexpr double kEnumeratedBias = 0.15;
constexpr int kMostStatistics = 10000;
constexpr double kEvidenceCap = 0.05;  // relative standard error over all runs
// Kolmogorov: P(sqrt(n) D > x) <= 2 exp(-2 x^2) = 1e-10 at 3.4435. The effective size comes from a
// variance over 40 runs, which is below 0.195 times its mean with probability 1e-10 (chi-square, 39
// degrees of freedom): 3.4435 / sqrt(0.195).
constexpr double kKolmogorov = 7.80;

struct Verdict {
  bool ok = true;
  int statistics = 0;
  double worst_t = 0;               // largest |t|
  std::string worst;                // the statistic that has it, with estimate and truth
  std::vector<std::size_t> alarms;  // statistics beyond the limit
  double largest_error = 0;         // largest |estimate - truth|, in posterior standard deviations
  double largest_mcse = 0;          // of a statistic, in the same units
  double ks = 0;                    // largest scaled distance
  double log_evidence_error = 0, log_evidence_se = 0;
  bool has_evidence = false;
  double effective = 0;  // smallest effective number of draws over statistics
  std::string why;       // what failed
  // The smallest bias caught with probability 0.99, in posterior standard deviations.
  double smallest_bias() const { return kPower * largest_mcse; }
};

class Checker {
 public:
  explicit Checker(const Truth& truth);
  // One draw of run `run`: the values of the truth's scalars, in order.
  void add(int run, double log_weight, const std::vector<double>& values);
  // An unbiased estimate of the evidence from a run, one of any number.
  void add_evidence(int run, double log_evidence);
  // Fails for statistics whose |t| is not below `limit`; looks only at those in `only`, if given.
  Verdict verdict(double limit, const std::vector<std::size_t>* only = nullptr) const;
  // For exact engines: everything within `tolerance`. Uses run 0 only.
  Verdict exact_verdict(double tolerance) const;

 private:
  struct Statistic {
    enum class Kind { Value, Other, Below, Mean, Variance };
    std::size_t scalar;
    Kind kind;
    double at;                 // the value, the place of the quantile
    double exact;              // the mean of f
    double unit;               // posterior standard deviation of f
    std::vector<double> sums;  // by run
  };
  double estimate(const Statistic& f) const;
  double standard_error(const Statistic& f) const;
  std::string describe(const Statistic& f) const;
  void check_others(Verdict& v) const;
  void check_distances(Verdict& v) const;

  Truth truth_;
  std::vector<Statistic> statistics_;
  std::vector<std::vector<double>> kept_;  // by scalar: values that have a statistic of their own
  // By scalar, of the exact CDF at the draws (continuous distributions)
  std::vector<std::vector<double>> histogram_;
  std::vector<double> other_exact_, other_;  // by scalar: mass outside kept_
  std::vector<double> weights_;              // by run
  std::vector<double> evidence_;             // by run: sum of estimates over the exact one
  std::vector<double> estimates_;            // by run: how many
  double log_scale_;
};

}  // namespace measure
