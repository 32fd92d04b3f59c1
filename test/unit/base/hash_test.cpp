// SPDX-License-Identifier: Apache-2.0
// Hashes against numbers printed by Clojure 1.11.1: (hash x), (mix-collection-hash h n), (.hashCode
// s).
#include "base/hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel {
namespace {

std::int32_t as_int(std::uint32_t hash) { return static_cast<std::int32_t>(hash); }

TEST(Hash, LongsAsClojure) {
  EXPECT_EQ(as_int(hash_long(0)), 0);
  EXPECT_EQ(as_int(hash_long(1)), 1392991556);
  EXPECT_EQ(as_int(hash_long(-1)), 1651860712);
  EXPECT_EQ(as_int(hash_long(123456789012345)), -468999172);
}

TEST(Hash, DoublesAsClojure) {
  EXPECT_EQ(as_int(hash_double(1.5)), 1073217536);
  EXPECT_EQ(as_int(hash_double(0.0)), 0);
  EXPECT_EQ(as_int(hash_double(-0.0)), 0);
  EXPECT_EQ(as_int(hash_double(std::nan(""))), 2146959360);
  EXPECT_EQ(as_int(hash_double(std::numeric_limits<double>::infinity())), 2146435072);
}

TEST(Hash, StringsAsClojure) {
  EXPECT_EQ(java_string_hash("a"), 97u);
  EXPECT_EQ(as_int(hash_string("")), 0);
  EXPECT_EQ(as_int(hash_string("a")), 1455541201);
  EXPECT_EQ(as_int(hash_string("hello world")), -1522757468);
  EXPECT_EQ(as_int(hash_string("h\u00e9llo\u20ac\U0001F600")), 1896045468);  // counts UTF-16 units
  EXPECT_EQ(as_int(hash_unencoded_chars("abc")), 1118836419);
}

TEST(Hash, CollectionStepsAsClojure) {
  EXPECT_EQ(as_int(hash_mix_collection(5, 3)), -1624420866);
  EXPECT_EQ(as_int(hash_combine(static_cast<std::uint32_t>(-5), 7)), 1640531845);
  // (hash [1 2]): h = 31*h + hash(x), starting at 1
  std::uint32_t ordered = 31 * (31 * 1 + hash_long(1)) + hash_long(2);
  EXPECT_EQ(as_int(hash_mix_collection(ordered, 2)), 156247261);
  EXPECT_EQ(as_int(hash_mix_collection(1, 0)), -2017569654);                          // (hash [])
  EXPECT_EQ(as_int(hash_mix_collection(hash_long(1) + hash_long(2), 2)), 460223544);  // #{1 2}
  std::uint32_t entry = hash_mix_collection(ordered, 2);
  EXPECT_EQ(as_int(hash_mix_collection(entry, 1)), 1952097988);  // {1 2}
}

}  // namespace
}  // namespace chancel
