// SPDX-License-Identifier: Apache-2.0
#include "tempering/temperatures.hpp"

#include <algorithm>
#include <cmath>

#include "math/elementary.hpp"
#include "math/log_space.hpp"

namespace chancel {

namespace {

// The effective number of states with these weights over the number of those above zero.
double effective_share(std::span<const double> log_likelihoods, double highest, double power) {
  double sum = 0, squares = 0, possible = 0;
  for (const double l : log_likelihoods) {
    if (l == kLogZero) continue;
    const double w = math::exp(power * (l - highest));
    sum += w;
    squares += w * w;
    ++possible;
  }
  return sum * sum / squares / possible;
}

}  // namespace

double next_temperature(std::span<const double> log_likelihoods, double from, double share) {
  const double highest = *std::max_element(log_likelihoods.begin(), log_likelihoods.end());
  const double rest = 1 - from;
  if (highest == kLogZero || effective_share(log_likelihoods, highest, rest) >= share) return 1;
  // On a logarithmic scale: with vague priors the first steps are tiny.
  double low = math::log(rest) - 1, high = math::log(rest);
  while (effective_share(log_likelihoods, highest, math::exp(low)) < share) low -= 5;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (effective_share(log_likelihoods, highest, math::exp(middle)) < share ? high : low) = middle;
  }
  return std::min(1.0, from + math::exp(low));
}

}  // namespace chancel
