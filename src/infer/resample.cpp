// SPDX-License-Identifier: Apache-2.0
// See resample.hpp. Every scheme first counts offspring in one pass over the cumulated weights,
// then gives them slots.
#include "infer/resample.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "math/lanes.hpp"

namespace chancel {

const char* resampling_name(Resampling scheme) {
  switch (scheme) {
    case Resampling::Multinomial:
      return "multinomial";
    case Resampling::Systematic:
      return "systematic";
    case Resampling::Stratified:
      return "stratified";
    case Resampling::Residual:
      return "residual";
  }
  return "";
}

bool find_resampling(std::string_view name, Resampling* out) {
  for (const Resampling s : {Resampling::Multinomial, Resampling::Systematic,
                             Resampling::Stratified, Resampling::Residual})
    if (name == resampling_name(s)) {
      *out = s;
      return true;
    }
  return false;
}

namespace {
// Up to this many particles a search for each draw is faster than sorted uniforms (and one uniform
// makes one draw, which lets tests enumerate them).
constexpr std::size_t kFewParticles = 24;

// The last particle with weight: rounding in the cumulated sum must not give offspring to one
// without.
std::size_t last_positive(std::span<const double> weights) {
  std::size_t last = weights.size();
  while (last > 1 && !(weights[last - 1] > 0)) --last;
  return last - 1;
}
}  // namespace

void Resampler::multinomial(std::span<const double> weights, double sum, std::size_t count,
                            Stream& stream) {
  if (weights.size() <= kFewParticles) {
    for (std::size_t k = 0; k < count; ++k) ++offspring_[draw_index(weights, sum, stream)];
    return;
  }
  // Sorted uniforms are normalised sums of exponentials (one more than there are points), so
  // counting is one merge.
  points_.resize(count + 1);
  stream.uniforms_open(points_.data(), count + 1);
  math::log_all(points_.data(), points_.data(), count + 1);
  double total = 0;
  for (double& p : points_) p = total -= p;
  points_.pop_back();
  const double scale = sum / total;
  const std::size_t last = last_positive(weights);
  std::size_t i = 0;
  double cumulated = weights[0];
  for (const double p : points_) {
    const double at = p * scale;
    while (at >= cumulated && i < last) cumulated += weights[++i];
    ++offspring_[i];
  }
}

void Resampler::systematic(std::span<const double> weights, double sum, double u) {
  // Points u, u+1 ... on the scale where the weights sum to N. Particle i gets the points below its
  // cumulated weight that are not taken yet; below x there are ceil(x - u). Written without
  // branches: offspring are as good as random.
  const std::size_t n = weights.size();
  const double scale = static_cast<double>(n) / sum;
  const std::size_t last = last_positive(weights);
  // ceil(x) = high - floor(high - x), and floor of a positive is a cast.
  const auto high = static_cast<std::int64_t>(n) + 1;
  const double high_u = static_cast<double>(high) + u;
  double cumulated = 0;
  std::int64_t taken = 0;
  for (std::size_t i = 0; i < last; ++i) {
    cumulated += weights[i];
    const std::int64_t below = high - static_cast<std::int64_t>(high_u - cumulated * scale);
    offspring_[i] = static_cast<std::uint32_t>(below - taken);
    taken = below;
  }
  if (taken > static_cast<std::int64_t>(
                  n)) {  // only by rounding, by one: the last one with offspring gives it back
    std::size_t i = last - 1;
    while (offspring_[i] == 0) --i;
    --offspring_[i];
    taken = static_cast<std::int64_t>(n);
  }
  offspring_[last] = static_cast<std::uint32_t>(static_cast<std::int64_t>(n) - taken);
}

void Resampler::stratified(std::span<const double> weights, double sum, Stream& stream) {
  const std::size_t n = weights.size();
  const double scale = static_cast<double>(n) / sum;
  const std::size_t last = last_positive(weights);
  std::size_t i = 0;
  double cumulated = weights[0];
  for (std::size_t k = 0; k < n; ++k) {
    const double point = static_cast<double>(k) + stream.uniform();
    while (point >= cumulated * scale && i < last) cumulated += weights[++i];
    ++offspring_[i];
  }
}

void Resampler::residual(std::span<const double> weights, double sum, Stream& stream) {
  const std::size_t n = weights.size();
  const double scale = static_cast<double>(n) / sum;
  rest_.resize(n);
  std::size_t taken = 0;
  double rest_sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double expected = weights[i] * scale;
    const double whole = std::floor(expected);
    offspring_[i] = static_cast<std::uint32_t>(whole);
    taken += offspring_[i];
    rest_[i] = expected - whole;
    rest_sum += rest_[i];
  }
  if (taken >= n || !(rest_sum > 0)) {
    // The rests are rounding errors: all expected numbers were whole.
    const std::size_t last = last_positive(weights);
    if (taken < n) offspring_[last] += static_cast<std::uint32_t>(n - taken);
    for (std::size_t i = last; taken > n; --i) {
      const auto back = static_cast<std::uint32_t>(std::min<std::size_t>(offspring_[i], taken - n));
      offspring_[i] -= back;
      taken -= back;
    }
    return;
  }
  multinomial(rest_, rest_sum, n - taken, stream);
}

void Resampler::place(std::span<std::uint32_t> ancestors) {
  // In the order of parents: siblings are neighbours and share what they do before their first
  // draw. No branches on the numbers of offspring, except for rare large ones.
  const std::size_t n = ancestors.size();
  slots_.resize(n + 2);
  std::size_t slot = 0;
  std::uint32_t distinct = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t count = offspring_[i];
    const auto parent = static_cast<std::uint32_t>(i);
    slots_[slot] = slots_[slot + 1] = parent;
    if (CHANCEL_UNLIKELY(count > 2))
      for (std::uint32_t k = 2; k < count; ++k) slots_[slot + k] = parent;
    slot += count;
    distinct += count != 0;
  }
  std::copy_n(slots_.begin(), n, ancestors.begin());
  distinct_ = distinct;
}

void Resampler::draw(Resampling scheme, std::span<const double> weights, double sum, Stream& stream,
                     std::span<std::uint32_t> ancestors) {
  offspring_.assign(weights.size(), 0);
  switch (scheme) {
    case Resampling::Multinomial:
      multinomial(weights, sum, weights.size(), stream);
      break;
    case Resampling::Systematic:
      systematic(weights, sum, stream.uniform());
      break;
    case Resampling::Stratified:
      stratified(weights, sum, stream);
      break;
    case Resampling::Residual:
      residual(weights, sum, stream);
      break;
  }
  place(ancestors);
}

void Resampler::draw_conditional(Resampling scheme, std::span<const double> weights, double sum,
                                 Stream& stream, std::span<std::uint32_t> ancestors) {
  const std::size_t n = weights.size();
  offspring_.assign(n, 0);
  if (scheme == Resampling::Multinomial) {
    multinomial(weights, sum, n - 1, stream);
    ++offspring_[0];
    place(ancestors);
    return;
  }
  CHANCEL_ASSERT(scheme == Resampling::Systematic,
                 "no conditional version of this resampling scheme");
  // Chopin & Singh, Algorithm 4. The shift u is drawn from its law given that slot 0 got offspring
  // of particle 0 (which is plain uniform weighted by the number of that offspring), then the
  // ancestors are turned by a random cycle among those that put particle 0 into slot 0. The order
  // of slots matters here.
  const double expected = static_cast<double>(n) * weights[0] / sum;
  double u;
  if (expected <= 1) {
    u = stream.uniform() * expected;
  } else {
    const double whole = std::floor(expected);
    const double rest = expected - whole;
    if (stream.uniform() * expected < rest * (whole + 1))
      u = stream.uniform() * rest;
    else
      u = rest + stream.uniform() * (1 - rest);
  }
  systematic(weights, sum, u);
  if (offspring_[0] == 0) {  // by rounding only: u may touch the edge
    std::size_t i = n - 1;
    while (offspring_[i] == 0) --i;
    --offspring_[i];
    offspring_[0] = 1;
  }
  // In order, the first offspring_[0] ancestors are 0: starting at any of them puts 0 first.
  const std::size_t start = stream.below(offspring_[0]);
  std::size_t slot = n - start;  // where position 0 of the ordered ancestors goes
  if (slot == n) slot = 0;
  distinct_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (offspring_[i] > 0) ++distinct_;
    for (std::uint32_t k = 0; k < offspring_[i]; ++k) {
      ancestors[slot] = static_cast<std::uint32_t>(i);
      if (++slot == n) slot = 0;
    }
  }
}

std::uint32_t draw_index(std::span<const double> weights, double sum, Stream& stream) {
  const double at = stream.uniform() * sum;
  const std::size_t last = last_positive(weights);
  double cumulated = 0;
  for (std::size_t i = 0; i < last; ++i) {
    cumulated += weights[i];
    if (at < cumulated) return static_cast<std::uint32_t>(i);
  }
  return static_cast<std::uint32_t>(last);
}

}  // namespace chancel
