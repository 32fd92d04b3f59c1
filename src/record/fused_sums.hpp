// SPDX-License-Identifier: Apache-2.0
// Sums of products, the linear predictors of regressions, as one operation: a chain of additions whose
// intermediate sums have no other use, with the products that are added. The same additions in the
// same order, without storing what lies between.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "record/graph.hpp"

namespace chancel {

struct FusedSums {
  // By the last addition of a chain: pairs of factors, in the order of addition. A term that is not
  // a product has kOne as its second factor.
  std::unordered_map<NodeIndex, std::vector<NodeIndex>> products;
  std::vector<char> absorbed;  // by node: part of a chain, not needed by itself
};
inline constexpr NodeIndex kOne = ~NodeIndex{0};

// In what these nodes depend on.
FusedSums fuse_sums(const Graph& graph, std::span<const NodeIndex> roots,
                    std::span<const NodeIndex> outputs);

}  // namespace chancel
