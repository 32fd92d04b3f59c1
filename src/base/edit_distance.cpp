// SPDX-License-Identifier: Apache-2.0
// Row-by-row dynamic programming; row i holds the distances from a's first i bytes to every prefix
// of b.
#include "base/edit_distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace chancel {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > limit) return limit + 1;
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t d = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d = std::min(d, before_last[j - 2] + 1);
      }
      row[j] = d;
      best = std::min(best, d);
    }
    // A swap may reach back two rows, so one bad row alone proves nothing; best - 1 does.
    if (best > limit + 1) return limit + 1;
    before_last.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

}  // namespace chancel
