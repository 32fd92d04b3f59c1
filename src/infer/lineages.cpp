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
  constexpr std::size_t kGenerations = 4;
  if (entries_ > 2 * entries_kept_ + kGenerations * particles_) forget_the_childless();
}

void Lineages::trace(std::uint32_t slot, std::vector<std::uint32_t>& slots) const {
  slots.resize(layers_.size());
  std::size_t place = slot;  // the last layer has all slots
  for (std::size_t g = layers_.size(); g-- > 0;) {
    const Layer& layer = layers_[g];
    slots[g] = layer.slots.empty() ? static_cast<std::uint32_t>(place) : layer.slots[place];
    if (!layer.from.empty()) place = layer.from[place];
  }
}

// From the last generation back: a layer keeps what the one after it still needs.
void Lineages::forget_the_childless() {
  constexpr std::uint32_t kNobody = ~0u;
  std::vector<std::uint32_t> now_at;
  for (std::size_t g = layers_.size(); g-- > 1;) {
    Layer& layer = layers_[g];
    Layer& before = layers_[g - 1];
    const std::size_t count = size_of(layer), old = size_of(before);
    now_at.assign(old, kNobody);
    for (std::size_t i = 0; i < count; ++i)
      now_at[layer.from.empty() ? i : layer.from[i]] = 0;
    std::vector<std::uint32_t> slots, from;
    for (std::size_t i = 0; i < old; ++i) {
      if (now_at[i] == kNobody) continue;
      now_at[i] = static_cast<std::uint32_t>(slots.size());
      slots.push_back(before.slots.empty() ? static_cast<std::uint32_t>(i) : before.slots[i]);
      if (g > 1) from.push_back(before.from.empty() ? static_cast<std::uint32_t>(i) : before.from[i]);
    }
    if (slots.size() == old) continue;
    if (layer.from.empty()) {
      layer.from.resize(count);
      for (std::size_t i = 0; i < count; ++i) layer.from[i] = now_at[i];
    } else {
      for (std::uint32_t& place : layer.from) place = now_at[place];
    }
    before.slots = std::move(slots);
    before.from = std::move(from);
  }
  entries_ = 0;
  for (const Layer& layer : layers_) entries_ += (layer.slots.size() + layer.from.size() + 1) / 2;
  entries_kept_ = entries_;
}

}  // namespace chancel
