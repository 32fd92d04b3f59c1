// SPDX-License-Identifier: Apache-2.0
#include "math/uniformity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/elementary.hpp"

namespace chancel {

namespace {

struct SplitMix {  // Steele, Lea & Flood 2014
  std::uint64_t state = 0x5eed;
  double uniform() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
};

template <std::size_t kPlaces>
std::array<std::uint32_t, kPlaces> counts_below(std::span<const double> numbers) {
  std::array<std::uint32_t, kPlaces> below{};
  for (const double u : numbers) {
    const auto bin = static_cast<std::size_t>(std::clamp(u, 0.0, 1.0) * (kPlaces + 1));
    if (bin < kPlaces) ++below[bin];
  }
  for (std::size_t i = 1; i < kPlaces; ++i) below[i] += below[i - 1];
  return below;
}

}  // namespace

Uniformity::Uniformity(std::size_t numbers, std::size_t simulations) : numbers_(numbers) {
  const auto n = static_cast<double>(numbers);
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const double z = static_cast<double>(i + 1) / (kPlaces + 1);
    std::vector<double> sum(numbers + 1);
    double total = 0;
    for (std::size_t k = 0; k <= numbers; ++k) {
      const auto x = static_cast<double>(k);
      total += math::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                         x * math::log(z) + (n - x) * math::log1p(-z));
      sum[k] = std::min(1.0, total);
    }
    at_most_.push_back(std::move(sum));
  }
  SplitMix random;
  std::vector<double> sample(numbers);
  for (std::size_t s = 0; s < simulations; ++s) {
    for (double& u : sample) u = random.uniform();
    null_.push_back(statistic(counts_below<kPlaces>(sample)));
  }
  std::sort(null_.begin(), null_.end());
}

double Uniformity::statistic(std::span<const std::uint32_t> below) const {
  double least = 1;
  for (std::size_t i = 0; i < below.size(); ++i) {
    const double low = at_most_[i][below[i]];
    const double high = 1 - (below[i] > 0 ? at_most_[i][below[i] - 1] : 0.0);
    least = std::min({least, 2 * low, 2 * high});
  }
  return least;
}

double Uniformity::p_value(std::span<const double> numbers) const {
  const double found = statistic(counts_below<kPlaces>(numbers));
  const auto as_small = std::upper_bound(null_.begin(), null_.end(), found) - null_.begin();
  return static_cast<double>(as_small + 1) / static_cast<double>(null_.size() + 1);
}

Uniformity::Band Uniformity::band(double alpha) const {
  const auto rank = static_cast<std::size_t>(alpha * static_cast<double>(null_.size()));
  const double least = null_[std::min(rank, null_.size() - 1)];
  Band out;
  const auto n = static_cast<double>(numbers_);
  for (const std::vector<double>& at_most : at_most_) {
    std::size_t low = 0;
    while (2 * at_most[low] < least) ++low;
    std::size_t high = numbers_;
    while (high > 0 && 2 * (1 - at_most[high - 1]) < least) --high;
    out.low.push_back(static_cast<double>(low) / n);
    out.high.push_back(static_cast<double>(high) / n);
  }
  return out;
}

}  // namespace chancel
