// SPDX-License-Identifier: Apache-2.0
// A label with few different values, counted instead of sorted. Every statistic of such a label
// follows from sums of weights by value: over all draws, over the halves of chains (R-hat), and
// over sweeps (errors: the particles of a sweep are one block). One pass over the draws makes the
// sums; whatever is asked then costs no more than sweeps times values.
//
// Used where sweeps give several draws each and a chain has enough sweeps for their sums to tell
// the whole error (kBlockSweeps), and where no draw lacks the label.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "chancel/summary.hpp"
#include "report/accuracy.hpp"
#include "report/column.hpp"

namespace chancel::report {

class Tally {
 public:
  static constexpr std::size_t kMaxValues = 64;
  // Nothing when there are more than kMaxValues, a draw lacks the label, or there are few sweeps.
  static std::optional<Tally> of(const Column& column, const DrawFrame& frame);

  // Different values in ascending order (entries of a dictionary: by number), with their weights.
  const std::vector<double>& values() const { return values_; }
  const std::vector<double>& weights() const { return weight_; }
  std::size_t carriers() const;  // values that carry weight

  double probability(std::size_t k) const { return weight_[k] / total_; }
  double probability_error(std::size_t k) const;  // MCSE
  // Mean, spread, quantiles, errors and diagnostics of the values as numbers.
  void describe_numbers(Estimate& row) const;
  // The indicator of one value.
  Tally indicator(std::size_t k) const;

 private:
  using Function = std::vector<double>;  // of the values
  double mean(const Function& g) const;
  double variance(const Function& g, double mean) const;
  double independence(const Function& g, double mean) const;
  double mean_error(const Function& g) const;
  Function scores(const Function& g) const;  // normal scores of ranks
  double r_hat(const Function& scores) const;
  double effective_size(const Function& g) const;

  const DrawFrame* frame_ = nullptr;
  bool weighted_ = false;
  double draws_ = 0, total_ = 0, total_squares_ = 0;
  std::vector<double> values_;
  std::vector<double> weight_, squares_;  // sums of w and w^2, by value
  std::vector<double> halves_;            // sums of w: half by half, by value
  std::vector<double> half_squares_;      // sums of w^2 of each half
  std::vector<double> sweeps_;            // sums of w: sweep by sweep, by value
};

}  // namespace chancel::report
