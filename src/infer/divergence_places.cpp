// SPDX-License-Identifier: Apache-2.0
#include "infer/divergence_places.hpp"

#include <algorithm>
#include <cmath>

namespace chancel {

namespace {
constexpr std::size_t kMostKept = 2'000'000;
}

void RunningMoments::add(const RunningMoments& other) {
  if (other.count == 0) return;
  const double off = other.mean - mean, sum = count + other.count;
  squares += other.squares + off * off * count * other.count / sum;
  mean += off * other.count / sum;
  count = sum;
}

double RunningMoments::sd() const { return count < 2 ? 0 : std::sqrt(squares / (count - 1)); }

double PlaceMoments::shift() const {
  const double spread = draws.sd();
  if (divergences.empty() || !(spread > 0)) return 0;
  std::vector<double> x = divergences;
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return (*middle - draws.mean) / spread;
}

std::size_t DivergencePlaces::slot(std::uint32_t site, std::uint32_t ordinal,
                                   CoordinateSense sense) {
  const auto [found, is_new] =
      index_.try_emplace((std::uint64_t{site} << 32) | ordinal, places_.size());
  if (is_new) places_.push_back({site, ordinal, sense, {}, {}});
  return found->second;
}

void DivergencePlaces::enter(const std::vector<CoordinatePlace>& coordinates) {
  std::unordered_map<std::uint32_t, std::uint32_t> ordinals;
  slots_.clear();
  for (const CoordinatePlace& c : coordinates)
    slots_.push_back(slot(c.site, ordinals[c.site]++, c.sense));
}

void DivergencePlaces::draw(const Eigen::VectorXd& q) {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    places_[slots_[i]].draws.add(q[static_cast<Eigen::Index>(i)]);
}

void DivergencePlaces::divergence(const Eigen::VectorXd& q) {
  if (!q.allFinite() || kept_ > kMostKept) return;
  kept_ += slots_.size();
  for (std::size_t i = 0; i < slots_.size(); ++i)
    places_[slots_[i]].divergences.push_back(q[static_cast<Eigen::Index>(i)]);
}

void DivergencePlaces::add(const DivergencePlaces& other) {
  for (const PlaceMoments& theirs : other.places_) {
    PlaceMoments& ours = places_[slot(theirs.site, theirs.ordinal, theirs.sense)];
    ours.draws.add(theirs.draws);
    ours.divergences.insert(ours.divergences.end(), theirs.divergences.begin(),
                            theirs.divergences.end());
  }
}

}  // namespace chancel
