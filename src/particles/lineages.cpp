// SPDX-License-Identifier: Apache-2.0
// See lineages.hpp.
#include "particles/lineages.hpp"

#include <algorithm>
#include <numeric>

#include "base/assert.hpp"

namespace chancel {

namespace {
constexpr std::uint32_t kSteps = 64;  // that are added up to find a place

// The steps of the kSteps parents after the first: a loop that the compiler vectorises. Returns the
// steps combined by bitwise or.
std::uint32_t write_steps(const std::uint32_t* __restrict parents, std::uint8_t* __restrict steps) {
  std::uint32_t bits = 0;
  for (std::uint32_t k = 0; k < kSteps; ++k) {
    const std::uint32_t step = parents[k + 1] - parents[k];
    bits |= step;
    steps[k] = static_cast<std::uint8_t>(step);
  }
  return bits;
}

}  // namespace

void Lineages::begin(std::uint32_t first, std::uint32_t count) {
  first_ = first;
  count_ = count;
  for (Layer& layer : layers_)
    if (layer.steps.capacity() > 0) spare_.push_back(std::move(layer.steps));
  layers_.assign(1, {});
  layers_[0].first = first;
  layers_[0].own = count;
  adopted_.clear();
  entries_ = entries_kept_ = 0;
}

void Lineages::adopt(Path& path, std::size_t common) {
  if (path.forgotten != forgotten_) common = 0;
  path.forgotten = forgotten_;
  path.places.resize(layers_.size());
  for (std::size_t g = common; g < layers_.size(); ++g) {
    Layer& layer = layers_[g];
    if (g > 0 && layer.same_places()) {
      layer.from.resize(layer.size());
      std::iota(layer.from.begin(), layer.from.end(), 0u);
      entries_ += layer.size();
    }
    path.places[g] = static_cast<std::uint32_t>(layer.size());
    layer.slots.push_back(path.slots[g]);
    if (g > 0) layer.from.push_back(path.places[g - 1]);
    ++entries_;
  }
  adopted_.emplace_back(path.slots.back(), path.places.back());
}

void Lineages::add(const std::uint32_t* parents, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t first_before = std::exchange(first_, first);
  const std::uint32_t count_before = std::exchange(count_, count);
  Layer layer;
  layer.first = first_;
  layer.own = count_;
  if (parents && !add_steps(parents + first_, first_before, count_before, layer)) {
    // Parents are slots; what is wanted is their place in the last layer.
    parents += first_;
    layer.from.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) layer.from[i] = parents[i] - first_before;
    std::sort(adopted_.begin(), adopted_.end());
    const auto find = [&](std::uint32_t i) {  // false: it is a slot of the slice
      if (layer.from[i] < count_before) return false;
      const auto found = std::lower_bound(adopted_.begin(), adopted_.end(),
                                          std::pair{parents[i], std::uint32_t{0}});
      CHANCEL_ASSERT(found != adopted_.end() && found->first == parents[i],
                     "a parent's past is not known");
      layer.from[i] = found->second;
      return true;
    };
    std::uint32_t low = 0, high = count_;
    while (low < high && find(low)) ++low;
    while (low < high && find(high - 1)) --high;
    entries_ += count_;
  }
  adopted_.clear();
  layers_.push_back(std::move(layer));
  constexpr std::size_t kGenerations = 4, kMuch = std::size_t{16} << 20;
  if (entries_ > 2 * entries_kept_ + std::max(kMuch, kGenerations * count_)) forget_the_childless();
}

// False: some come from elsewhere, or steps are too large.
bool Lineages::add_steps(const std::uint32_t* parents, std::uint32_t first_before,
                         std::uint32_t count_before, Layer& layer) {
  if (count_ == 0 || parents[0] < first_before ||
      parents[count_ - 1] - first_before >= count_before)
    return false;
  if (!spare_.empty()) {
    layer.steps = std::move(spare_.back());
    spare_.pop_back();
  }
  layer.steps.resize(count_);
  std::uint32_t bits = 0;  // of all of them
  std::uint32_t i = 1;
  for (; i + kSteps <= count_; i += kSteps) bits |= write_steps(parents + i - 1, &layer.steps[i]);
  for (; i < count_; ++i) {
    const std::uint32_t step = parents[i] - parents[i - 1];
    bits |= step;
    layer.steps[i] = static_cast<std::uint8_t>(step);
  }
  if (bits > 255) {
    layer.steps.clear();
    return false;
  }
  for (i = 0; i < count_; i += kSteps) layer.bases.push_back(parents[i] - first_before);
  entries_ += count_ / sizeof(std::uint32_t);
  return true;
}

std::uint32_t Lineages::Layer::place_before(std::uint32_t place) const {
  if (same_places()) return place;
  if (steps.empty()) return from[place];
  if (place >= own) return from[place - own];
  const std::uint32_t begin = place / kSteps * kSteps;
  std::uint32_t before = bases[place / kSteps];
  for (std::uint32_t i = begin + 1; i <= place; ++i) before += steps[i];
  return before;
}

void Lineages::Layer::expand() {
  if (steps.empty()) return;
  std::vector<std::uint32_t> all(own);
  std::uint32_t before = bases[0];
  for (std::uint32_t i = 0; i < own; ++i) all[i] = before += i > 0 ? steps[i] : 0;
  all.insert(all.end(), from.begin(), from.end());
  from = std::move(all);
  steps.clear();
  bases.clear();
}

std::size_t Lineages::trace(std::uint32_t slot, Path& path) const {
  const std::size_t known = path.slots.size();
  path.slots.resize(layers_.size());
  std::uint32_t place = slot - first_;  // the last layer has all slots
  for (std::size_t g = layers_.size(); g-- > 0;) {
    const Layer& layer = layers_[g];
    const std::uint32_t here = slot_at(layer, place);
    if (g < known && path.slots[g] == here) return g + 1;
    path.slots[g] = here;
    if (g > 0) place = layer.place_before(place);
  }
  return 0;
}

// From the last generation back: a layer keeps what the one after it still needs.
void Lineages::forget_the_childless() {
  constexpr std::uint32_t kNobody = ~0u;
  for (std::size_t g = layers_.size(); g-- > 1;) {
    Layer& layer = layers_[g];
    Layer& before = layers_[g - 1];
    if (layer.same_places()) continue;  // everybody has a child
    const bool first = g == 1;
    layer.expand();
    before.expand();
    place_now_.assign(before.size(), kNobody);
    std::vector<std::uint32_t> slots, from;
    for (std::uint32_t& place : layer.from) {
      std::uint32_t& now = place_now_[place];
      if (now == kNobody) {
        now = static_cast<std::uint32_t>(slots.size());
        slots.push_back(slot_at(before, place));
        if (!first) from.push_back(before.from.empty() ? place : before.from[place]);
      }
      place = now;
    }
    before.own = 0;
    before.slots = std::move(slots);
    before.from = std::move(from);
  }
  entries_ = 0;
  for (const Layer& layer : layers_)
    entries_ +=
        (layer.slots.size() + layer.from.size() + layer.steps.size() / sizeof(std::uint32_t) + 1) /
        2;
  entries_kept_ = entries_;
  ++forgotten_;
}

}  // namespace chancel
