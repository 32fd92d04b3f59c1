// SPDX-License-Identifier: Apache-2.0
// The distribution of weighted draws of a number, as bars and as a curve. Both show the range that
// matters: where the tails are long (a Cauchy), what lies beyond is counted and not shown.
#pragma once
#include <limits>
#include <span>
#include <vector>

namespace chancel::page {

// The effective number of draws decides how fine a picture is: that of the weights, or less where
// the caller knows of autocorrelation.
inline constexpr double kAsWeighted = std::numeric_limits<double>::infinity();

// The masses, `below` and `above` sum to 1 when every value is a number.
struct Histogram {
  double low = 0, high = 0;  // edges of the bins, which are equally wide
  std::vector<double> mass;
  double below = 0,
         above = 0;  // share of the weight outside; values that are not finite count here
};

// Freedman and Diaconis' bin width for the effective number of draws, 8 to 80 bins. Integers get
// bins of whole numbers. Empty `weights`: equal.
Histogram histogram(std::span<const double> x, std::span<const double> weights, bool integers,
                    double effective = kAsWeighted);

struct Curve {
  std::vector<double> x, y;
};
// A Gaussian kernel density over the same range: Silverman's bandwidth for the effective number of
// draws, reflected at the smallest and largest value so that nothing leaks over a bound. Empty for
// constants and for fewer than ten draws. `beyond`: the curve extends past the smallest and
// largest value, as is usual for data, of which there are few. Cost: n + 512 points x kernel width.
Curve density(std::span<const double> x, std::span<const double> weights,
              double effective = kAsWeighted, bool beyond = false);

}  // namespace chancel::page
