// SPDX-License-Identifier: Apache-2.0
// See blocks.hpp. A lane is 64 bits wide and holds a 32-bit number of one block, so that a product needs no
// shuffling; four groups of lanes at a time, because a round waits for its products.
#include "random/blocks.hpp"

#include <algorithm>

#include "random/philox.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace chancel {

namespace {

// Block by block, counting up either word.
void one_by_one(std::uint64_t low, std::uint64_t high, std::uint64_t low_step,
                std::uint64_t high_step, std::uint64_t key, std::size_t count, std::uint64_t* first,
                std::uint64_t* second) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t block[2];
    philox4x32(low + i * low_step, high + i * high_step, key, block);
    first[i] = block[0];
    second[i] = block[1];
  }
}

#if defined(__x86_64__)

#if !defined(__clang__)
// In the headers of g++ 12 an undefined vector is one that is initialised with itself (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Counters as four vectors (c0 .. c3); `slots` counts up c1, otherwise c2 and c3. What overflows 32 bits stays
// in the upper halves of lanes, which no product reads.
// clang-format off
#define CHANCEL_PHILOX(name, features, Vector, lanes, set1, multiply, shift_right, shift_left, exclusive_or,      \
                       either, both, add, numbers, store)                                                         \
  [[gnu::target(features)]] void name(std::uint64_t low, std::uint64_t high, bool slots, std::uint64_t key,       \
                                      std::uint64_t* first, std::uint64_t* second) {                              \
    constexpr int kGroups = 4;                                                                                    \
    const Vector mask = set1(0xffffffff);                                                                         \
    const Vector m0 = set1(kPhiloxMultiplier0), m1 = set1(kPhiloxMultiplier1);                                    \
    Vector k0 = set1(static_cast<std::uint32_t>(key)), k1 = set1(static_cast<long long>(key >> 32));             \
    Vector c0[kGroups], c1[kGroups], c2[kGroups], c3[kGroups];                                                    \
    _Pragma("GCC unroll 4") for (int g = 0; g < kGroups; ++g) {                                                   \
      const Vector number = add(numbers, set1(g * lanes));                                                        \
      const Vector row = add(set1(static_cast<long long>(high)), number);                                         \
      c0[g] = set1(static_cast<std::uint32_t>(low));                                                              \
      c1[g] = set1(static_cast<long long>(low >> 32));                                                            \
      c2[g] = set1(static_cast<std::uint32_t>(high));                                                             \
      c3[g] = set1(static_cast<long long>(high >> 32));                                                           \
      if (slots) {                                                                                                \
        c1[g] = add(c1[g], number);                                                                               \
      } else {                                                                                                    \
        c2[g] = both(row, mask);                                                                                  \
        c3[g] = shift_right(row, 32);                                                                             \
      }                                                                                                           \
    }                                                                                                             \
    _Pragma("GCC unroll 10") for (int round = 0; round < kPhiloxRounds; ++round) {                                \
      _Pragma("GCC unroll 4") for (int g = 0; g < kGroups; ++g) {                                                 \
        const Vector p0 = multiply(c0[g], m0), p1 = multiply(c2[g], m1);                                          \
        c0[g] = exclusive_or(exclusive_or(shift_right(p1, 32), c1[g]), k0);                                       \
        c1[g] = p1;                                                                                               \
        c2[g] = exclusive_or(exclusive_or(shift_right(p0, 32), c3[g]), k1);                                       \
        c3[g] = p0;                                                                                               \
      }                                                                                                           \
      k0 = add(k0, set1(kPhiloxKeyStep0));                                                                        \
      k1 = add(k1, set1(kPhiloxKeyStep1));                                                                        \
    }                                                                                                             \
    _Pragma("GCC unroll 4") for (int g = 0; g < kGroups; ++g) {                                                   \
      store(reinterpret_cast<Vector*>(first + g * lanes), either(both(c0[g], mask), shift_left(c1[g], 32)));      \
      store(reinterpret_cast<Vector*>(second + g * lanes), either(both(c2[g], mask), shift_left(c3[g], 32)));     \
    }                                                                                                             \
  }

CHANCEL_PHILOX(blocks_256, "avx2", __m256i, 4, _mm256_set1_epi64x, _mm256_mul_epu32, _mm256_srli_epi64,
               _mm256_slli_epi64, _mm256_xor_si256, _mm256_or_si256, _mm256_and_si256, _mm256_add_epi64,
               _mm256_set_epi64x(3, 2, 1, 0), _mm256_storeu_si256)
CHANCEL_PHILOX(blocks_512, "avx512f", __m512i, 8, _mm512_set1_epi64, _mm512_mul_epu32, _mm512_srli_epi64,
               _mm512_slli_epi64, _mm512_xor_si512, _mm512_or_si512, _mm512_and_si512, _mm512_add_epi64,
               _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_storeu_si512)
// clang-format on

#endif

constexpr std::size_t kWorthAPiece = 4;  // for fewer one by one is faster

void all_blocks(std::uint64_t low, std::uint64_t high, bool slots, std::uint64_t key,
                std::size_t count, std::uint64_t* first, std::uint64_t* second) {
  const std::uint64_t low_step = slots ? std::uint64_t{1} << 32 : 0;
  const std::uint64_t high_step = slots ? 0 : 1;
  std::size_t done = 0;
#if defined(__x86_64__)
  static const bool very_wide = __builtin_cpu_supports("avx512f");
  static const bool wide = __builtin_cpu_supports("avx2");
  if (wide) {
    const std::size_t piece = very_wide ? 32 : 16;
    const auto run = very_wide ? blocks_512 : blocks_256;
    for (; done + piece <= count; done += piece)
      run(low + done * low_step, high + done * high_step, slots, key, first + done, second + done);
    if (count - done >= kWorthAPiece) {
      std::uint64_t words[2][32];
      run(low + done * low_step, high + done * high_step, slots, key, words[0], words[1]);
      std::copy_n(words[0], count - done, first + done);
      std::copy_n(words[1], count - done, second + done);
      return;
    }
  }
#endif
  one_by_one(low + done * low_step, high + done * high_step, low_step, high_step, key, count - done,
             first + done, second + done);
}

}  // namespace

void blocks_of_slots(std::uint64_t low, std::uint64_t high, std::uint64_t key, std::size_t count,
                     std::uint64_t* first, std::uint64_t* second) {
  all_blocks(low, high, true, key, count, first, second);
}

void blocks_in_a_row(std::uint64_t low, std::uint64_t high, std::uint64_t key, std::size_t count,
                     std::uint64_t* first, std::uint64_t* second) {
  all_blocks(low, high, false, key, count, first, second);
}

}  // namespace chancel
