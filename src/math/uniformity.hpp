// SPDX-License-Identifier: Apache-2.0
// Are numbers from the unit interval uniform? The simultaneous test of their empirical distribution
// function of Säilynoja, Bürkner & Vehtari (2022): at each of a row of places the number below it is
// binomial; the statistic is the least of the two-sided tail probabilities, and its distribution for
// uniform numbers comes from simulation, with a fixed generator. Sees shifts, spreads and bumps.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace chancel {

class Uniformity {
 public:
  // For samples of `numbers` numbers. `simulations` bounds the least p-value.
  Uniformity(std::size_t numbers, std::size_t simulations);
  // The probability that uniform numbers look as unlike it as these, or more.
  double p_value(std::span<const double> numbers) const;
  // Least and largest count of numbers below each place that a sample may have whose p-value is not
  // below `alpha`; places are (i + 1) / (their number + 1).
  struct Band {
    std::vector<double> low, high;  // shares
  };
  Band band(double alpha) const;

 private:
  double statistic(std::span<const std::uint32_t> below) const;
  static constexpr std::size_t kPlaces = 50;
  std::size_t numbers_;
  std::vector<std::vector<double>> at_most_;  // binomial distribution functions, by place
  std::vector<double> null_;                  // statistics of uniform numbers, ascending
};

}  // namespace chancel
