// SPDX-License-Identifier: Apache-2.0
// Bounds of the nodes of a graph over all values of its inputs: interval arithmetic for the functions that transforms
// and everyday programs are made of, the whole real line for the others. It decides comparisons that come out the same
// wherever the draws are, such as (> sd 0) of a positive draw. Bounds are open, and underflow is left out.
#pragma once
#include <vector>

#include "record/graph.hpp"

namespace chancel {

struct NodeRange {
  double lower, upper;
};
// Of all nodes, by index.
std::vector<NodeRange> node_ranges(const Graph& graph);

}  // namespace chancel
