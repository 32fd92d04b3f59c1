// SPDX-License-Identifier: Apache-2.0
// Who descends from whom in a sweep, for pictures. Every generation is kept while the sweep runs (4
// bytes a particle and observe, up to kMaxLinks; later generations are left out), and thinned at
// its end: all particles when there are few, otherwise the ancestors of kShown of the last ones,
// evenly spaced.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace chancel {

// Of a chain: the first, and for particle Gibbs the first with a retained path.
constexpr unsigned kKeptSweeps = 2;

class FamilyTree {
 public:
  static constexpr std::size_t kMaxLinks = std::size_t{4} << 20;
  static constexpr std::size_t kShown = 100;

  void clear() { ancestors_.clear(); }
  void add(std::span<const std::uint32_t> ancestors);  // ancestors[i] is the parent of slot i
  std::size_t generations() const { return width_ == 0 ? 0 : ancestors_.size() / width_; }

  // Particle after the observe, its ancestor before.
  using Link = std::pair<std::uint32_t, std::uint32_t>;
  // By generation, particles ascending.
  std::vector<std::vector<Link>> links() const;

 private:
  std::size_t width_ = 0;
  std::vector<std::uint32_t> ancestors_;
};

}  // namespace chancel
