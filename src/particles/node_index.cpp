// SPDX-License-Identifier: Apache-2.0
// See node_index.hpp.
#include "particles/node_index.hpp"

#include <cmath>

#include "infer/resample.hpp"
#include "infer/weights.hpp"
#include "math/elementary.hpp"

namespace chancel {

void draw_node_indices(std::span<const double> log_evidence, std::span<std::uint32_t> conditional,
                       Stream& stream, std::vector<double>& occupancy) {
  const std::size_t nodes = log_evidence.size();
  const double largest = Weights::largest(log_evidence);
  std::vector<double> evidence(nodes);
  for (std::size_t m = 0; m < nodes; ++m) evidence[m] = math::exp(log_evidence[m] - largest);
  std::vector<bool> taken(nodes, false);
  for (const std::uint32_t m : conditional) taken[m] = true;
  occupancy.assign(nodes, 0);
  std::vector<double> chance(nodes);
  for (std::uint32_t& mine : conditional) {
    taken[mine] = false;
    double sum = 0;
    for (std::size_t m = 0; m < nodes; ++m) sum += chance[m] = taken[m] ? 0 : evidence[m];
    if (sum > 0) {
      for (std::size_t m = 0; m < nodes; ++m)
        occupancy[m] += chance[m] / sum / static_cast<double>(conditional.size());
      mine = draw_index(chance, sum, stream);
    } else {  // all free nodes are too unlikely for a double beside the taken ones: stay
      occupancy[mine] += 1 / static_cast<double>(conditional.size());
    }
    taken[mine] = true;
  }
}

}  // namespace chancel
