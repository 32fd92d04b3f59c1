// SPDX-License-Identifier: Apache-2.0
// See fused_sums.hpp.
#include "record/fused_sums.hpp"

#include <algorithm>

namespace chancel {

FusedSums fuse_sums(const Graph& graph, std::span<const NodeIndex> roots,
                    std::span<const NodeIndex> outputs) {
  std::vector<std::uint32_t> uses(graph.size(), 0);
  for (const NodeIndex i : roots) ++uses[i];
  for (const NodeIndex i : outputs) ++uses[i];
  for (NodeIndex i = static_cast<NodeIndex>(graph.size()); i-- > 0;)
    if (uses[i] > 0)
      for (const NodeIndex operand : graph.operands(i)) ++uses[operand];

  FusedSums fused;
  fused.absorbed.assign(graph.size(), 0);
  const auto only_here = [&](NodeIndex i, GraphOp op) {
    return graph.node(i).op == op && uses[i] == 1;
  };
  for (NodeIndex last = static_cast<NodeIndex>(graph.size()); last-- > 0;) {
    if (uses[last] == 0 || fused.absorbed[last] || graph.node(last).op != GraphOp::Add) continue;
    std::vector<NodeIndex> terms;  // last first
    std::vector<NodeIndex> inside;
    NodeIndex at = last;
    for (;;) {
      NodeIndex before = graph.operands(at)[0], term = graph.operands(at)[1];
      if (!only_here(before, GraphOp::Add) && only_here(term, GraphOp::Add))
        std::swap(before, term);  // a + b is b + a
      terms.push_back(term);
      if (!only_here(before, GraphOp::Add)) {
        terms.push_back(before);
        break;
      }
      inside.push_back(before);
      at = before;
    }
    std::vector<NodeIndex> pairs;
    bool product = false;
    for (std::size_t k = terms.size(); k-- > 0;) {
      const NodeIndex term = terms[k];
      if (only_here(term, GraphOp::Multiply)) {
        product = true;
        pairs.insert(pairs.end(), graph.operands(term).begin(), graph.operands(term).end());
        inside.push_back(term);
      } else {
        pairs.insert(pairs.end(), {term, kOne});
      }
    }
    if (!product && terms.size() == 2) continue;  // one plain addition
    for (const NodeIndex i : inside) fused.absorbed[i] = 1;
    fused.products.emplace(last, std::move(pairs));
  }
  return fused;
}

}  // namespace chancel
