// SPDX-License-Identifier: Apache-2.0
// Philox2x64-10 (Salmon, Moraes, Dror, Shaw 2011): a block of two 64-bit numbers for a counter of two
// words and a key of one. Checked against the published answers in test/unit/random.
#pragma once
#include <cstdint>

namespace chancel {

inline void philox2x64(std::uint64_t counter0, std::uint64_t counter1, std::uint64_t key,
                       std::uint64_t out[2]) {
  for (int round = 0; round < 10; ++round) {
    const unsigned __int128 product =
        static_cast<unsigned __int128>(0xD2B74407B1CE6E93ull) * counter0;
    counter0 = static_cast<std::uint64_t>(product >> 64) ^ key ^ counter1;
    counter1 = static_cast<std::uint64_t>(product);
    key += 0x9E3779B97F4A7C15ull;
  }
  out[0] = counter0;
  out[1] = counter1;
}

}  // namespace chancel
