// SPDX-License-Identifier: Apache-2.0
// In which slots the ancestors of the particles of a slice stood, barrier by barrier. Random numbers of a
// segment are named by slot and barrier, so this is all one must know to run an execution again
// (docs/decisions/023-ranks.md). A particle may come from another slice: its past is given with it. When they
// take much memory, ancestors without living descendants are forgotten: about N log T entries of eight bytes
// stay for N particles after T barriers.
//
// Particles seldom leave their slice, and few are asked for: a generation takes one byte a
// particle, the distance of its parent from the parent of the particle before.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace chancel {

class Lineages {
 public:
  void begin(std::uint32_t first, std::uint32_t count);  // the slots of the slice
  // The slots that a particle of the last generation has passed, the first one first.
  struct Path {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> places;  // in the layers, when it was adopted
    std::uint64_t forgotten = 0;        // and how often something had been forgotten
  };
  // A particle of the last generation that stands in another slice, by path.slots. The first `common` of
  // them are those of the particle that was adopted before with the same `path`, now or at an earlier barrier.
  void adopt(Path& path, std::size_t common);
  // The next generation, of the slots of the slice as it is then: slot i comes from parents[i], which was a
  // slot of the slice or was adopted; null: from slot i, and the slice stays. Parents are in ascending
  // order, as resampling gives them.
  void add(const std::uint32_t* parents, std::uint32_t first, std::uint32_t count);
  std::size_t generations() const { return layers_.size(); }
  // Of a slot of the slice, into path.slots, which may hold another one of this or an earlier generation:
  // what they have in common stays, and its length is given back. Costs as much as they differ.
  std::size_t trace(std::uint32_t slot, Path& path) const;
  std::size_t entries() const { return entries_; }
  void forget_the_childless();

 private:
  struct Layer {
    std::uint32_t first = 0, own = 0;  // the first places are the slots of the slice, in order
    std::vector<std::uint32_t> slots;  // of the places after those
    // The place of each parent in the layer before. With steps, they have those of the first `own`
    // places, and `from` has the rest. Without steps `from` has all of them, or is empty: each
    // parent has the same place.
    std::vector<std::uint8_t> steps;
    std::vector<std::uint32_t> bases;  // at every kSteps-th place; steps are added to them
    std::vector<std::uint32_t> from;
    std::size_t size() const { return own + slots.size(); }
    bool same_places() const { return steps.empty() && from.empty(); }
    std::uint32_t place_before(std::uint32_t place) const;
    void expand();  // to a layer without steps
  };
  bool add_steps(const std::uint32_t* parents, std::uint32_t first_before,
                 std::uint32_t count_before, Layer& layer);
  std::uint32_t slot_at(const Layer& layer, std::uint32_t place) const {
    return place < layer.own ? layer.first + place : layer.slots[place - layer.own];
  }

  std::uint32_t first_ = 0, count_ = 0;
  std::vector<Layer> layers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> adopted_;  // of the last one: slot, place
  std::vector<std::vector<std::uint8_t>> spare_;  // of the last sweep: fresh memory costs more
  std::vector<std::uint32_t> place_now_;          // scratch
  std::size_t entries_ = 0, entries_kept_ = 0;
  std::uint64_t forgotten_ = 0;  // so often; places have changed then
};

}  // namespace chancel
