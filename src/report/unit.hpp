// SPDX-License-Identifier: Apache-2.0
// Charts of numbers near the ends of the range of doubles are drawn in a power of ten: widths of
// bins and steps of axes would overflow, or round to zero, in the numbers themselves.
#pragma once
#include <cmath>
#include <span>
#include <string>

namespace chancel::report {

class Unit {
 public:
  // Numbers between 1e-100 and 1e100 (the largest of them counts) stay as they are.
  static Unit of(double largest) {
    constexpr double kSmall = 1e-100, kLarge = 1e100;
    if (!(largest > 0) || !std::isfinite(largest) || (largest >= kSmall && largest <= kLarge))
      return {};
    Unit unit;
    unit.exponent_ = static_cast<int>(std::floor(std::log10(largest)));
    return unit;
  }
  static double largest(std::span<const double> values, double so_far = 0) {
    for (const double v : values)
      if (std::isfinite(v)) so_far = std::fmax(so_far, std::fabs(v));
    return so_far;
  }
  bool is_one() const { return exponent_ == 0; }
  // In two steps, as 10^310 is not a double.
  double scaled(double x) const {
    const int half = exponent_ / 2;
    return is_one() ? x : x * std::pow(10.0, -half) * std::pow(10.0, half - exponent_);
  }
  std::string text() const { return "1e" + std::to_string(exponent_); }

 private:
  int exponent_ = 0;
};

// All are finite, and need no unit.
inline bool are_plain(std::span<const double> values) {
  for (const double v : values)
    if (!std::isfinite(v)) return false;
  return Unit::of(Unit::largest(values)).is_one();
}

}  // namespace chancel::report
