// SPDX-License-Identifier: Apache-2.0
#include "report/weight_tail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "math/log_space.hpp"
#include "math/pareto_smoothing.hpp"

namespace chancel::report {

double weight_tail_shape(const DrawFrame& frame) {
  if (frame.enumerated || frame.weights.empty()) return std::numeric_limits<double>::quiet_NaN();
  const std::span<const double> all = frame.log_weights;
  if (frame.sweep_rows.size() == all.size()) return pareto_shape(all);
  std::vector<double> sums;
  sums.reserve(frame.sweep_rows.size());
  bool uneven = false;  // within a sweep
  std::size_t begin = 0;
  for (const std::uint32_t rows : frame.sweep_rows) {
    const std::span<const double> sweep = all.subspan(begin, rows);
    sums.push_back(log_sum_exp(sweep));
    const auto [low, high] = std::minmax_element(sweep.begin(), sweep.end());
    uneven |= *high > *low + 1e-9;
    begin += rows;
  }
  const double between = pareto_shape(sums);
  if (!uneven) return between;
  std::vector<double> relative;
  relative.reserve(all.size());
  for (std::size_t s = 0; s < sums.size(); ++s)
    for (std::uint32_t row = 0; row < frame.sweep_rows[s]; ++row)
      relative.push_back(sums[s] == kLogZero ? kLogZero : all[relative.size()] - sums[s]);
  return std::fmax(between, pareto_shape(relative));
}

}  // namespace chancel::report
