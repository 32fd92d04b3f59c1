// SPDX-License-Identifier: Apache-2.0
#include "tempering/sequential_share.hpp"

#include <algorithm>
#include <vector>

#include "math/elementary.hpp"
#include "math/special.hpp"

namespace chancel {

double sequential_share(std::size_t wanted, std::size_t first, std::uint64_t more) {
  const auto log_choose = [](double n, double k) {
    return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
  };
  const auto n = static_cast<double>(first), m = static_cast<double>(more);
  std::vector<double> logs, counts;
  for (std::size_t j = wanted > more ? wanted - more : 0; j < wanted; ++j) {
    counts.push_back(static_cast<double>(j));
    logs.push_back(log_choose(n, counts.back()) +
                   log_choose(m, static_cast<double>(wanted) - counts.back()));
  }
  const double highest = *std::max_element(logs.begin(), logs.end());
  double sum = 0, mean = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    sum += math::exp(logs[i] - highest);
    mean += math::exp(logs[i] - highest) * counts[i];
  }
  return mean / sum / n;
}

}  // namespace chancel
