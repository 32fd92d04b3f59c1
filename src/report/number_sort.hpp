// SPDX-License-Identifier: Apache-2.0
// Sorting of doubles by radix: linear time, stable, and the same order for any number of threads.
// NaN must not occur; -0 and 0 are equal.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace chancel::report {

struct Ranked {
  double value;
  std::uint32_t row;
};
// The values in ascending order, each with its place; equal ones by place.
std::vector<Ranked> ranked(std::span<const double> values, unsigned threads = 1);
void sort_numbers(std::vector<double>& values);

}  // namespace chancel::report
