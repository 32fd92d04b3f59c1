// SPDX-License-Identifier: Apache-2.0
// Borders of slices, and particles that cross them (docs/decisions/023-ranks.md). Parents are in ascending
// order, so the offspring of a slice is a range of slots, and every rank knows from the sums of weights which.
// That is the next slice, and no particle crosses a border, as long as slices are about equally long: a border
// wanders some sqrt(N) slots at a barrier, in either direction. Where it would go too far, it stays, and the
// rank of the parents sends that of the slots the parents, their root ancestors, and the slots of their
// ancestors, which name all their random numbers: there they are run again.
#include <algorithm>
#include <cstring>

#include "particles/sweep_across_ranks.hpp"
#include "ranks/ranks.hpp"

namespace chancel {

namespace {

// How many slots borders may be away from where they usually are. A chunk of weights that one of them
// divides goes to all ranks, 4 kB: that pays up to a few hundred of them (docs/cluster.md). A slice has
// several chunks, wherever its borders are.
std::size_t slack_of(std::size_t particles, unsigned ranks) {
  constexpr std::size_t kLeastSlice = 4 * kWeightChunk, kShare = 16;
  constexpr unsigned kMostRanks = 256;
  const std::size_t slice = particles / ranks;
  return ranks > kMostRanks || slice < kLeastSlice ? 0 : slice / kShare;
}

}  // namespace

// Slices of the same length, of whole chunks of weights.
std::size_t SweepAcrossRanks::usual_bound(unsigned rank) const {
  const std::size_t n = settings_.particles, chunks = (n + kWeightChunk - 1) / kWeightChunk;
  return std::min(n, chunks * rank / ranks_->size() * kWeightChunk);
}

void SweepAcrossRanks::find_children() {
  if (!ranks_) return;
  child_bounds_.clear();
  for (unsigned r = 0; r <= ranks_->size(); ++r)
    child_bounds_.push_back(
        particles_.genealogy.first_child(bounds_[r], particles_.weights.now().relative()));
}

void SweepAcrossRanks::draw_parents(Stream& stream, const InSlices& in_slices) {
  particles_.genealogy.draw_slice({particles_.weights.now().relative(), slice_.begin, slice_.end,
                                   piece_sums_, last_with_weight_},
                                  stream, in_slices);
  distinct_here_ = true;
  find_children();
  const std::size_t slack = slack_of(settings_.particles, ranks_->size());
  for (unsigned r = 1; r < ranks_->size(); ++r) {
    const std::size_t usual = usual_bound(r);
    next_bounds_[r] = std::clamp(child_bounds_[r], usual - slack, usual + slack);
  }
}

bool SweepAcrossRanks::enter(const Rerun& rerun, SweepOutcome& outcome) {
  if (!bring_parents(rerun, outcome)) return false;
  bounds_before_ = std::exchange(bounds_, next_bounds_);
  slice_ = slice_of(ranks_->rank());
  if (particles_.genealogy.drawn() && !particles_.weights.old())
    particles_.weights.reset(slice_.begin, slice_.end);
  return true;
}

// The parents of these slots, which stand here. Of each the slots that differ from the one before it, and
// of the first from the last one of an earlier barrier: relatives share most of their past.
std::string SweepAcrossRanks::pack_parents(std::size_t from, std::size_t to,
                                           Lineages::Path& sent) const {
  const Genealogy& genealogy = particles_.genealogy;
  ByteWriter out;
  for (std::size_t i = from; i < to;) {
    const std::uint32_t parent = genealogy.parent(i);
    std::size_t children = 1;
    while (i + children < to && genealogy.parent(i + children) == parent) ++children;
    const std::size_t common = lineages_.trace(parent, sent);
    out.number(children);
    out.number(genealogy.root(parent));
    out.number(common);
    for (std::size_t g = sent.slots.size(); g-- > common;) {
      const std::uint32_t child = g + 1 < sent.slots.size() ? sent.slots[g + 1] : 0;
      out.integer(std::int64_t{sent.slots[g]} - child);  // ancestors stand near their descendants
    }
    i += children;
  }
  return out.take();
}

bool SweepAcrossRanks::bring_parents(const Rerun& rerun, SweepOutcome& outcome) {
  if (!particles_.genealogy.drawn()) return true;
  Ranks& ranks = *ranks_;
  const unsigned me = ranks.rank();
  // Slots of rank `to` whose parents stand on rank `of`.
  const auto slots = [&](unsigned of, unsigned to) {
    return std::pair{std::max(child_bounds_[of], next_bounds_[to]),
                     std::min(child_bounds_[of + 1], next_bounds_[to + 1])};
  };
  for (unsigned r = 0; r < ranks.size(); ++r)
    if (const auto [from, to] = slots(me, r); r != me && from < to)
      ranks.send(r, kBorderTag, pack_parents(from, to, borders_[r].sent));
  std::vector<std::string> messages(ranks.size());
  for (unsigned r = 0; r < ranks.size(); ++r)
    if (const auto [from, to] = slots(r, me); r != me && from < to)
      messages[r] = ranks.receive(r, kBorderTag);
  for (unsigned r = 0; r < ranks.size(); ++r)
    if (const auto [from, to] = slots(r, me); r != me && from < to)
      if (!take_in_parents(rerun, from, to, messages[r], borders_[r], outcome)) return false;
  return true;
}

// What one has in common with the one before it is not run again.
bool SweepAcrossRanks::take_in_parents(const Rerun& rerun, std::size_t from, std::size_t to,
                                       const std::string& message, Border& border,
                                       SweepOutcome& outcome) {
  Genealogy& genealogy = particles_.genealogy;
  Lineages::Path& path = border.received;
  std::vector<Border::Stage>& stages = border.stages;
  path.slots.resize(lineages_.generations());
  ByteReader in(message);
  const auto damaged = [&] {
    return outcome.fail({Code::X001,
                         Severity::Error,
                         {},
                         "a message between ranks is damaged: " + in.problem(),
                         "",
                         {}});
  };
  for (std::size_t i = from; i < to;) {
    const std::uint64_t children = in.number();
    const auto root = static_cast<std::uint32_t>(in.number());
    const std::uint64_t common = in.number();
    if (children == 0 || children > to - i || root >= settings_.particles ||
        common > stages.size() || common >= path.slots.size())
      in.fail("this cannot be the past of a particle");
    if (!in.ok()) return damaged();
    for (std::size_t g = path.slots.size(); g-- > common;) {
      const std::int64_t child = g + 1 < path.slots.size() ? path.slots[g + 1] : 0;
      const std::int64_t slot = child + in.integer();
      if (slot < 0 || slot >= std::int64_t{settings_.particles})
        in.fail("there is no such particle");
      path.slots[g] = static_cast<std::uint32_t>(slot);
    }
    if (!in.ok()) return damaged();
    const std::uint32_t parent = path.slots.back();
    stages.resize(common);
    while (stages.size() < path.slots.size()) {
      const auto barrier = static_cast<std::uint32_t>(stages.size());
      Border::Stage stage = barrier == 0 ? Border::Stage{} : stages.back();
      if (barrier == 0 || !stage.at.ended()) {
        if (!rerun.segment(barrier, path.slots[barrier], stage.at, &stage.result)) return false;
      }
      stages.push_back(stage);
    }
    particles_.states.now[parent] = stages.back().at;
    particles_.states.results[parent] = stages.back().result;
    rerun.adopt(particles_.states.now[parent]);
    lineages_.adopt(path, common);
    genealogy.set_root(parent, root);
    for (const std::size_t end = i + children; i < end; ++i) genealogy.set_parent(i, parent);
  }
  return in.done() || damaged();
}

SweepError SweepAcrossRanks::evidence_error() {
  Ranks& ranks = *ranks_;
  Genealogy& genealogy = particles_.genealogy;
  ParticleWeights& weights = particles_.weights;
  const bool before = genealogy.unweighted_since_resampling(weights.now());
  const std::vector<std::size_t>& bounds = before ? bounds_before_ : bounds_;
  const auto roots = genealogy.telling_roots(weights.now());
  const auto relative = weights.relative(before);
  const auto part = [](auto all, std::size_t begin, std::size_t end) {
    return std::span<char>(reinterpret_cast<char*>(all.data() + begin),
                           (end - begin) * sizeof(all[0]));
  };
  if (!ranks.first()) {
    const std::size_t begin = bounds[ranks.rank()], end = bounds[ranks.rank() + 1];
    const auto mine = part(roots, begin, end);
    const auto weights_here = part(relative, begin, end);
    ranks.send(0, kBorderTag, std::string(mine.data(), mine.size()));
    ranks.send(0, kBorderTag, std::string(weights_here.data(), weights_here.size()));
    return {};
  }
  for (unsigned r = 1; r < ranks.size(); ++r)
    for (const auto all :
         {part(roots, bounds[r], bounds[r + 1]), part(relative, bounds[r], bounds[r + 1])}) {
      const std::string message = ranks.receive(r, kBorderTag);
      std::memcpy(all.data(), message.data(), std::min(message.size(), all.size()));
    }
  return genealogy.evidence_error(weights.now(), weights.before());
}

}  // namespace chancel
