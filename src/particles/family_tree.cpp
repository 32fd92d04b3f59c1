// SPDX-License-Identifier: Apache-2.0
#include "particles/family_tree.hpp"

#include <algorithm>

namespace chancel {

void FamilyTree::add(std::span<const std::uint32_t> ancestors) {
  if (ancestors_.empty()) width_ = ancestors.size();
  if (ancestors_.size() + ancestors.size() > kMaxLinks) return;
  ancestors_.insert(ancestors_.end(), ancestors.begin(), ancestors.end());
}

std::vector<std::vector<FamilyTree::Link>> FamilyTree::links() const {
  std::vector<std::vector<Link>> out(generations());
  std::vector<std::uint32_t> alive;
  const std::size_t shown = std::min(width_, kShown);
  for (std::size_t k = 0; k < shown; ++k)
    alive.push_back(static_cast<std::uint32_t>(k * width_ / shown));
  for (std::size_t g = out.size(); g-- > 0;) {
    const std::uint32_t* const parents = ancestors_.data() + g * width_;
    std::vector<std::uint32_t> next;
    for (const std::uint32_t particle : alive) {
      out[g].emplace_back(particle, parents[particle]);
      next.push_back(parents[particle]);
    }
    if (width_ <= kShown) continue;  // everyone, dead or alive
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    alive = std::move(next);
  }
  return out;
}

}  // namespace chancel
