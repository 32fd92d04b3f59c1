// SPDX-License-Identifier: Apache-2.0
// Which blocks control passes on every way to a block (Cooper, Harvey and Kennedy 2001, "A simple,
// fast dominance algorithm").
#pragma once
#include <vector>

#include "segment/ir.hpp"

namespace chancel::segment {

class Dominators {
 public:
  explicit Dominators(const Function& function);
  bool reachable(BlockId b) const { return number_[b] != kUnreached; }
  bool dominates(BlockId a, BlockId b) const;
  // kNoBlock: of the first block.
  BlockId above(BlockId b) const { return b == 0 ? kNoBlock : above_[b]; }
  BlockId common(BlockId a, BlockId b) const;
  // Reachable blocks, each after those that dominate it (reverse postorder).
  const std::vector<BlockId>& order() const { return order_; }
  const std::vector<std::vector<BlockId>>& predecessors() const { return predecessors_; }
  // The place of a block in that order.
  std::uint32_t number(BlockId b) const { return number_[b]; }

 private:
  static constexpr std::uint32_t kUnreached = ~std::uint32_t{0};
  std::vector<BlockId> order_, above_;
  std::vector<std::uint32_t> number_;
  std::vector<std::vector<BlockId>> predecessors_;
};

}  // namespace chancel::segment
