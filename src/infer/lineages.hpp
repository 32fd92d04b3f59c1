// SPDX-License-Identifier: Apache-2.0
// In which slots the ancestors of each particle stood, barrier by barrier. Random numbers of a segment
// are named by slot and barrier, so this is all one must know to run an execution again
// (docs/decisions/023-ranks.md). Parents are in ascending order, as resampling gives them. When they take much
// memory, ancestors without living descendants are forgotten: about N log T entries of eight bytes stay
// for N particles after T barriers.
#pragma once
#include <cstdint>
#include <vector>

namespace chancel {

class Lineages {
 public:
  void begin(std::uint32_t particles);  // the particles of the first generation
  // The next one: slot i comes from parents[i]; null: from slot i.
  void add(const std::uint32_t* parents);
  std::size_t generations() const { return layers_.size(); }
  // The slots that the particle in this slot of the last generation has passed, the first one first.
  // `path` may hold another one, of the same generation: what they have in common stays, and its length
  // is given back. Costs as much as they differ.
  struct Path {
    std::vector<std::uint32_t> slots, places;  // places: in the layers
  };
  std::size_t trace(std::uint32_t slot, Path& path) const;
  std::size_t entries() const { return entries_; }
  bool forget_the_childless();  // false: parents were not in ascending order

 private:
  struct Layer {
    std::vector<std::uint32_t> slots;  // in ascending order; empty: all
    std::vector<std::uint32_t> from;   // where in the layer before; empty: the same place
  };

  std::uint32_t particles_ = 0;
  std::vector<Layer> layers_;
  std::size_t entries_ = 0, entries_kept_ = 0;
};

}  // namespace chancel
