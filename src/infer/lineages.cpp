// SPDX-License-Identifier: Apache-2.0
// See lineages.hpp.
#include "infer/lineages.hpp"

#include <algorithm>

namespace chancel {

void Lineages::begin(std::uint32_t particles) {
  particles_ = particles;
  layers_.assign(1, {});
  entries_ = entries_kept_ = 0;
}

void Lineages::add(const std::uint32_t* parents) {
  Layer layer;
  if (parents) {
    // Parents are slots; what is wanted is their place in the last layer, which still has all slots.
    layer.from.assign(parents, parents + particles_);
    entries_ += particles_;
  }
  layers_.push_back(std::move(layer));
  constexpr std::size_t kGenerations = 4, kMuch = std::size_t{32} << 20;
  if (entries_ > 2 * entries_kept_ + std::max(kMuch, kGenerations * particles_))
    forget_the_childless();
}

std::size_t Lineages::trace(std::uint32_t slot, Path& path) const {
  const bool empty = path.slots.size() != layers_.size();
  path.slots.resize(layers_.size());
  path.places.resize(layers_.size());
  std::uint32_t place = slot;  // the last layer has all slots
  for (std::size_t g = layers_.size(); g-- > 0;) {
    if (!empty && path.places[g] == place) return g + 1;
    const Layer& layer = layers_[g];
    path.places[g] = place;
    path.slots[g] = layer.slots.empty() ? place : layer.slots[place];
    if (!layer.from.empty()) place = layer.from[place];
  }
  return 0;
}

// From the last generation back: a layer keeps what the one after it still needs.
bool Lineages::forget_the_childless() {
  for (const Layer& layer : layers_)
    if (!std::is_sorted(layer.from.begin(), layer.from.end())) return false;
  for (std::size_t g = layers_.size(); g-- > 1;) {
    Layer& layer = layers_[g];
    Layer& before = layers_[g - 1];
    if (layer.from.empty()) continue;  // everybody has a child
    std::vector<std::uint32_t> slots, from;
    const bool first = g == 1;
    std::uint32_t last = ~0u;
    const auto keep = [&](std::uint32_t place) {
      slots.push_back(before.slots.empty() ? place : before.slots[place]);
      if (!first) from.push_back(before.from.empty() ? place : before.from[place]);
    };
    for (std::uint32_t& place : layer.from) {
      if (place != last) keep(last = place);
      place = static_cast<std::uint32_t>(slots.size() - 1);
    }
    before.slots = std::move(slots);
    before.from = std::move(from);
  }
  entries_ = 0;
  for (const Layer& layer : layers_) entries_ += (layer.slots.size() + layer.from.size() + 1) / 2;
  entries_kept_ = entries_;
  return true;
}

}  // namespace chancel
