// SPDX-License-Identifier: Apache-2.0
// The runs of one curve put together: median and quartiles over seeds at each checkpoint, the
// median posterior, effective draws; and comparisons of two curves.
#pragma once
#include <string>
#include <vector>

#include "paper/chart.hpp"
#include "paper/store.hpp"

namespace chancel::paper {

struct Curve {
  std::vector<double> simulations, applications, seconds;  // medians over runs
  std::vector<double> low, median, high;                   // distance: 25 %, 50 %, 75 %
  std::vector<std::vector<double>> posterior;              // row, value, median probability
  double effective = 0;                                    // median effective draws at the end
};

double quantile(std::vector<double> values, double share);
std::string run_name(const std::string& curve, unsigned run);  // "convergence/hmm/rdb" -> ".../07"
Curve read_curve(const Store& store, const std::string& curve, unsigned runs);

// y of a curve at x, straight in logs; NaN outside.
double at(const std::vector<double>& xs, const std::vector<double>& ys, double x);

// How two curves compare from `from` of the axis on: at `points` places of equal distance in logs.
struct Comparison {
  int points = 0, below = 0;  // where the first has the lower median
  double ratio = 0;           // geometric mean of second / first
  double last_ratio = 0;      // at the last place
};
Comparison compare(const std::vector<double>& x1, const std::vector<double>& y1,
                   const std::vector<double>& x2, const std::vector<double>& y2, double from);

// Median and quartile band.
void draw_curve(Chart& chart, const std::vector<double>& x, const Curve& curve,
                const std::string& colour, const std::string& legend, bool dots = false);

}  // namespace chancel::paper
