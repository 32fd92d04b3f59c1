// SPDX-License-Identifier: Apache-2.0
#include "particles/genealogy.hpp"

#include <numeric>

#include "infer/evidence.hpp"

namespace chancel {

void Genealogy::resize(std::size_t count) {
  parents_.resize(count);
  roots_.resize(count);
  next_roots_.resize(count);
}

void Genealogy::begin() {
  tree_.clear();
  resamplings_ = 0;
  drawn_ = false;
  std::iota(roots_.begin(), roots_.end(), 0u);
}

void Genealogy::draw(const Weights& weights, Stream& stream, bool conditional,
                     const InSlices& in_slices) {
  if (conditional)
    resampler_.draw_conditional(scheme_, weights.relative(), stream, parents_, in_slices);
  else
    resampler_.draw(scheme_, weights.relative(), stream, parents_, in_slices);
  drawn_ = true;
  sliced_ = false;
  ++resamplings_;
}

void Genealogy::draw_slice(const WeightSlice& slice, Stream& stream, const InSlices& in_slices) {
  resampler_.draw_slice(slice, stream, parents_, in_slices);
  drawn_ = sliced_ = true;
  ++resamplings_;
}

std::size_t Genealogy::first_child(std::size_t particle, std::span<const double> weights) const {
  if (sliced_) return resampler_.first_child(particle, weights);
  return static_cast<std::size_t>(std::lower_bound(parents_.begin(), parents_.end(), particle) -
                                  parents_.begin());
}

void Genealogy::draw_in_order(const Weights& weights, Stream& stream,
                              std::span<const std::uint32_t> order) {
  ordered_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ordered_[i] = weights.relative()[order[i]];
  resampler_.draw(scheme_, ordered_, stream, parents_);
  for (std::uint32_t& parent : parents_) parent = order[parent];
  drawn_ = true;
  ++resamplings_;
}

void Genealogy::remember_generation() {
  if (!drawn_) std::iota(parents_.begin(), parents_.end(), 0u);
  tree_.add(parents_);
}

SweepError Genealogy::evidence_error(const Weights& now, const Weights& before) {
  // The evidence was complete before: look at the roots there (next_roots_ still has them). One
  // generation less has merged.
  const bool unweighted = unweighted_since_resampling(now);
  // Only multinomial resampling merges families by chance alone; for the others the estimate is
  // that of Chan & Lai (2013).
  const std::uint64_t by_chance =
      scheme_ == Resampling::Multinomial ? resamplings_ - (unweighted ? 1 : 0) : 0;
  const Weights& weights = unweighted ? before : now;
  return genealogy_error(telling_roots(now), weights.relative(), weights.sum(), by_chance,
                         families_);
}

}  // namespace chancel
