// SPDX-License-Identifier: Apache-2.0
// Murmur3 (x86, 32 bits, seed 0) in the variants of clojure.lang.Murmur3, and the Java hash codes
// beneath them. Java's ints wrap and its >> is arithmetic; both are spelled out here on unsigned
// numbers.
#include "base/hash.hpp"

#include <bit>
#include <cmath>

#include "base/utf8.hpp"

namespace chancel {
namespace {

constexpr std::uint32_t kC1 = 0xcc9e2d51;  // Murmur3's constants
constexpr std::uint32_t kC2 = 0x1b873593;

std::uint32_t mix_k1(std::uint32_t k1) { return std::rotl(k1 * kC1, 15) * kC2; }

std::uint32_t mix_h1(std::uint32_t h1, std::uint32_t k1) {
  return std::rotl(h1 ^ k1, 13) * 5 + 0xe6546b64;
}

std::uint32_t finish(std::uint32_t h1, std::uint32_t length) {
  h1 ^= length;
  h1 ^= h1 >> 16;
  h1 *= 0x85ebca6b;
  h1 ^= h1 >> 13;
  h1 *= 0xc2b2ae35;
  return h1 ^ (h1 >> 16);
}

// Calls f for each UTF-16 unit of the text.
template <typename F>
void each_utf16_unit(std::string_view utf8, F f) {
  for (std::size_t i = 0; i < utf8.size();) {
    const DecodedChar c = decode_utf8(utf8, i);
    i += c.length;
    if (c.code_point < 0x10000) {
      f(c.code_point);
    } else {
      f(0xD800 + ((c.code_point - 0x10000) >> 10));
      f(0xDC00 + ((c.code_point - 0x10000) & 0x3FF));
    }
  }
}

}  // namespace

std::uint32_t hash_long(std::int64_t value) {
  if (value == 0) return 0;
  const auto bits = static_cast<std::uint64_t>(value);
  std::uint32_t h1 = mix_h1(0, mix_k1(static_cast<std::uint32_t>(bits)));
  h1 = mix_h1(h1, mix_k1(static_cast<std::uint32_t>(bits >> 32)));
  return finish(h1, 8);
}

std::uint32_t hash_double(double value) {
  if (value == 0) return 0;  // -0.0 = 0.0, so they hash alike (Clojure 1.9 and later)
  const std::uint64_t bits =
      std::isnan(value) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(value);
  return static_cast<std::uint32_t>(bits ^ (bits >> 32));
}

std::uint32_t java_string_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  each_utf16_unit(utf8, [&](std::uint32_t unit) { hash = hash * 31 + unit; });
  return hash;
}

std::uint32_t hash_string(std::string_view utf8) {
  const std::uint32_t hash = java_string_hash(utf8);
  if (hash == 0) return 0;
  return finish(mix_h1(0, mix_k1(hash)), 4);
}

std::uint32_t hash_unencoded_chars(std::string_view utf8) {
  std::uint32_t h1 = 0;
  std::uint32_t count = 0;
  std::uint32_t pending = 0;
  each_utf16_unit(utf8, [&](std::uint32_t unit) {
    if (++count % 2 == 1) {
      pending = unit;
    } else {
      h1 = mix_h1(h1, mix_k1(pending | (unit << 16)));
    }
  });
  if (count % 2 == 1) h1 ^= mix_k1(pending);
  return finish(h1, 2 * count);
}

std::uint32_t hash_combine(std::uint32_t seed, std::uint32_t hash) {
  const auto arithmetic_shift = static_cast<std::uint32_t>(static_cast<std::int32_t>(seed) >> 2);
  return seed ^ (hash + 0x9e3779b9 + (seed << 6) + arithmetic_shift);
}

std::uint32_t hash_mix_collection(std::uint32_t hash, std::uint32_t count) {
  return finish(mix_h1(0, mix_k1(hash)), count);
}

}  // namespace chancel
