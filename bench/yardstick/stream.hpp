// SPDX-License-Identifier: Apache-2.0
// The random numbers of the hand-written samplers: Philox2x64-10, the fastest of its family on one number at a
// time, normal draws by the ziggurat, logarithms of the C library.
#pragma once
#include <cmath>
#include <cstdint>

#include "random/stream.hpp"
#include "random/ziggurat_table.hpp"

namespace chancel::yardstick {

class Stream {
 public:
  Stream(StreamName name, std::uint32_t slot, std::uint32_t step)
      : key_(name.key), who_((static_cast<std::uint64_t>(slot) << 32) | step) {}
  std::uint64_t next() {
    const std::uint64_t at = drawn_++;
    if (at & 1) return ready_[1];
    make_block(at / 2);
    return ready_[0];
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double uniform_open() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1.0p-52; }
  double exponential() { return -std::log(uniform_open()); }
  std::uint64_t below(std::uint64_t n) {
    for (;;) {
      const unsigned __int128 m = static_cast<unsigned __int128>(next()) * n;
      const auto low = static_cast<std::uint64_t>(m);
      if (low >= n || low >= (0 - n) % n) return static_cast<std::uint64_t>(m >> 64);
    }
  }
  double normal() {
    for (;;) {
      const std::uint64_t bits = next();
      const unsigned layer = bits & 255;
      const double sign = (bits & 256) ? -1.0 : 1.0;
      const double x = static_cast<double>(bits >> 11) * 0x1.0p-53 * ziggurat::kEdge[layer];
      if (x < ziggurat::kEdge[layer + 1]) return sign * x;
      if (layer == 0) return sign * tail();
      const double low = ziggurat::kHeight[layer];
      const double high = ziggurat::kHeight[layer + 1];
      if (low + uniform() * (high - low) < std::exp(-0.5 * x * x)) return sign * x;
    }
  }

 private:
  double tail() {
    const double r = ziggurat::kEdge[1];
    for (;;) {
      const double x = exponential() / r;
      const double y = exponential();
      if (y + y > x * x) return r + x;
    }
  }
  void make_block(std::uint64_t index) {
    std::uint64_t a = who_, c = index, key = key_;
    for (int round = 0; round < 10; ++round) {
      const unsigned __int128 product = static_cast<unsigned __int128>(0xD2B74407B1CE6E93ull) * a;
      a = static_cast<std::uint64_t>(product >> 64) ^ key ^ c;
      c = static_cast<std::uint64_t>(product);
      key += 0x9E3779B97F4A7C15ull;
    }
    ready_[0] = a;
    ready_[1] = c;
  }
  std::uint64_t key_, who_;
  std::uint64_t drawn_ = 0;
  std::uint64_t ready_[2] = {};
};

}  // namespace chancel::yardstick
