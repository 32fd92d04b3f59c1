// SPDX-License-Identifier: Apache-2.0
// Clojure's hash functions (Murmur3 over ints, longs, strings and orders of hashes). They are
// copied in meaning, because the iteration order of hash maps and sets, and so what a program
// prints, follows from them.
#pragma once
#include <cstdint>
#include <string_view>

namespace chancel {

std::uint32_t hash_long(std::int64_t value);
std::uint32_t hash_double(double value);                // Java's Double.hashCode
std::uint32_t java_string_hash(std::string_view utf8);  // Java's String.hashCode
std::uint32_t hash_string(std::string_view utf8);       // murmur3 of Java's String.hashCode
std::uint32_t hash_unencoded_chars(std::string_view utf8);
std::uint32_t hash_combine(std::uint32_t seed, std::uint32_t hash);
std::uint32_t hash_mix_collection(std::uint32_t hash,
                                  std::uint32_t count);  // last step of ordered/unordered

}  // namespace chancel
