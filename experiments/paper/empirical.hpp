// SPDX-License-Identifier: Apache-2.0
// The empirical distribution of a run's predicts, grown draw by draw, and its distance to the exact
// law: KL(empirical || exact), summed over rows, or the Kolmogorov-Smirnov statistic. It also keeps
// the run in batches, from which it tells how many independent draws it is worth. Memory: a few
// counts; 16 bytes a draw for KS.
#pragma once
#include <cstdint>
#include <vector>

#include "chancel/chancel.hpp"
#include "paper/problem.hpp"

namespace chancel::paper {

class Empirical {
 public:
  explicit Empirical(const Problem& problem);
  void add(const Draw& draw);
  void begin_batch();
  double distance();
  // Independent draws that would estimate the law as well as this run does, by batch means over all
  // batches but the first tenth; NaN when there are fewer than ten.
  double effective_draws() const;
  double draws() const { return draws_; }
  // Discrete: probability of each value of each row. Normal: CDF at `cdf_points`.
  std::vector<std::vector<double>> estimate();
  static std::vector<double> cdf_points(const Law& law);

 private:
  void add_value(std::size_t row, const ValueView& value, double weight);
  const Problem& problem_;
  bool vector_;
  double shift_ = 0;  // of log-weights: that of the first draw
  bool begun_ = false;
  double total_ = 0;  // of the weights
  double draws_ = 0;
  std::vector<std::vector<double>> counts_;  // rows x values, the last of which is "any other"
  struct Point {
    double value, weight;
  };
  std::vector<Point> points_;
  std::size_t sorted_ = 0;
  struct Batch {
    double total = 0;
    std::vector<std::vector<double>> counts;
  };
  std::vector<std::vector<double>> empty_counts_;
  std::vector<Batch> batches_;
};

}  // namespace chancel::paper
