// SPDX-License-Identifier: Apache-2.0
// The index step of interacting PMCMC (Rainforth et al. 2016, equation 5): which nodes' sweeps the
// conditional chains continue from.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "random/stream.hpp"

namespace chancel {

// One Gibbs sweep over the indices: chain j moves to node m with probability proportional to
// exp(log_evidence[m]) among the nodes that no other chain holds. `conditional` holds distinct
// nodes, before and after. occupancy[m] gets the mean over the chains of the chance that chain j
// went to m (it sums to one): what node m's particles weigh.
void draw_node_indices(std::span<const double> log_evidence, std::span<std::uint32_t> conditional,
                       Stream& stream, std::vector<double>& occupancy);

}  // namespace chancel
