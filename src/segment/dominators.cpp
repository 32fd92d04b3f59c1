// SPDX-License-Identifier: Apache-2.0
// See dominators.hpp.
#include "segment/dominators.hpp"

#include <algorithm>

namespace chancel::segment {

Dominators::Dominators(const Function& f)
    : above_(f.blocks.size(), kNoBlock),
      number_(f.blocks.size(), kUnreached),
      predecessors_(f.blocks.size()) {
  if (f.blocks.empty()) return;
  // Postorder by an explicit stack: blocks may form long chains.
  std::vector<bool> met(f.blocks.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  met[0] = true;
  while (!stack.empty()) {
    const BlockId b = stack.back().first;
    const std::vector<BlockId> next = successors(f.blocks[b]);
    if (stack.back().second == next.size()) {
      order_.push_back(b);
      stack.pop_back();
      continue;
    }
    const BlockId to = next[stack.back().second++];
    if (to >= f.blocks.size()) continue;  // broken_rule() reports it
    predecessors_[to].push_back(b);
    if (met[to]) continue;
    met[to] = true;
    stack.emplace_back(to, 0);
  }
  std::reverse(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i)
    number_[order_[i]] = static_cast<std::uint32_t>(i);
  above_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId b : order_) {
      if (b == 0) continue;
      BlockId found = kNoBlock;
      for (const BlockId p : predecessors_[b])
        if (above_[p] != kNoBlock) found = found == kNoBlock ? p : common(p, found);
      if (above_[b] == found) continue;
      above_[b] = found;
      changed = true;
    }
  }
}

BlockId Dominators::common(BlockId a, BlockId b) const {
  while (a != b) {
    while (number_[a] > number_[b]) a = above_[a];
    while (number_[b] > number_[a]) b = above_[b];
  }
  return a;
}

bool Dominators::dominates(BlockId a, BlockId b) const {
  if (!reachable(a) || !reachable(b)) return false;
  while (number_[b] > number_[a]) b = above_[b];
  return a == b;
}

}  // namespace chancel::segment
