// SPDX-License-Identifier: Apache-2.0
// Seeds of cells, and the random numbers of the samplers that this folder writes itself (orders of
// lines, wrong rules). splitmix64 and hand-written transforms rather than <random>'s distributions,
// whose results differ between standard libraries.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <vector>

namespace chancel::paper {

inline std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The seed of a cell: the run's seed and the cell's name.
inline std::uint64_t seed_of_cell(std::uint64_t seed, std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mixed(mixed(seed + 0x9e3779b97f4a7c15ULL) ^ h) >> 11;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mixed(seed)) {}
  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15ULL); }
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }  // in (0, 1)
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }
  bool flip(double p) { return uniform() < p; }
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  double exponential(double rate) { return -std::log(uniform()) / rate; }
  // An index with probability proportional to its weight.
  std::size_t pick(const std::vector<double>& weights) {
    double left = 0;
    for (const double w : weights) left += w;
    left *= uniform();
    std::size_t i = 0;
    for (; i + 1 < weights.size() && left >= weights[i]; ++i) left -= weights[i];
    return i;
  }

 private:
  std::uint64_t state_;
};

}  // namespace chancel::paper
