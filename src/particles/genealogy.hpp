// SPDX-License-Identifier: Apache-2.0
// Who descends from whom in a sweep: the parents drawn at the last barrier, the root ancestor of each
// particle (its slot at the start of the sweep), from which the variance of the evidence is
// estimated, and the whole tree where a picture was asked for.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "infer/evidence.hpp"
#include "infer/resample.hpp"
#include "infer/weights.hpp"
#include "particles/family_tree.hpp"

namespace chancel {

class Genealogy {
 public:
  explicit Genealogy(Resampling scheme) : scheme_(scheme) {}
  void resize(std::size_t count);
  void begin();  // of a sweep: everybody is a root

  // Draws parents from the weights. Conditional: slot 0 keeps itself as its parent.
  void draw(const Weights& weights, Stream& stream, bool conditional,
            const InSlices& in_slices = {});
  // Draws for all by systematic resampling, and fills in the slots whose parents stand in a slice;
  // others may set theirs (set_parent, set_root).
  void draw_slice(const WeightSlice& slice, Stream& stream, const InSlices& in_slices = {});
  // After a draw: the first slot whose parent is this particle or a later one. After draw_slice():
  // computed from the weights that it was given.
  std::size_t first_child(std::size_t particle, std::span<const double> weights) const;
  // The same with the particles in this order.
  void draw_in_order(const Weights& weights, Stream& stream, std::span<const std::uint32_t> order);
  // A barrier without resampling: the ancestor map is the identity.
  void stay() { drawn_ = false; }
  std::uint32_t distinct_parents() const { return resampler_.distinct(); }  // of the last draw
  bool drawn() const { return drawn_; }
  // Null for the identity.
  const std::uint32_t* parents() const { return drawn_ ? parents_.data() : nullptr; }
  std::uint32_t parent(std::size_t i) const {
    return drawn_ ? parents_[i] : static_cast<std::uint32_t>(i);
  }
  void set_parent(std::size_t i, std::uint32_t parent) { parents_[i] = parent; }
  std::uint32_t root(std::size_t i) const { return roots_[i]; }
  void set_root(std::size_t i, std::uint32_t root) { roots_[i] = root; }

  // While particles advance to the next barrier, each says whom it comes from; then all at once the
  // next generation is the current one.
  void descend(std::size_t i, std::size_t parent) { next_roots_[i] = roots_[parent]; }
  void descend_all(std::size_t from, std::size_t to) {
    if (drawn_)
      for (std::size_t i = from; i < to; ++i) next_roots_[i] = roots_[parents_[i]];
    else
      std::copy(roots_.begin() + static_cast<std::ptrdiff_t>(from),
                roots_.begin() + static_cast<std::ptrdiff_t>(to),
                next_roots_.begin() + static_cast<std::ptrdiff_t>(from));
  }
  void next_generation() { roots_.swap(next_roots_); }

  // When nothing was weighted after the last resampling, the evidence was complete before it.
  bool unweighted_since_resampling(const Weights& now) const {
    return drawn_ && now.ess() >= static_cast<double>(roots_.size()) * (1 - 1e-9);
  }
  // The roots that evidence_error() looks at.
  std::span<std::uint32_t> telling_roots(const Weights& now) {
    return unweighted_since_resampling(now) ? next_roots_ : roots_;
  }
  // How far off the evidence may be, by the weights now and at the barrier before.
  SweepError evidence_error(const Weights& now, const Weights& before);

  void remember_generation();  // for the tree
  const FamilyTree& tree() const { return tree_; }

 private:
  Resampling scheme_;
  Resampler resampler_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> roots_, next_roots_;
  FamilyTree tree_;
  std::vector<double> families_, ordered_;  // scratch
  std::uint64_t resamplings_ = 0;
  bool drawn_ = false;
  bool sliced_ = false;  // the last draw
};

}  // namespace chancel
