// SPDX-License-Identifier: Apache-2.0
// Plain data as bytes: the same comes back, and damage is found.
#include "base/bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel {
namespace {

TEST(Bytes, EveryNumberComesBack) {
  const std::uint64_t numbers[] = {
      0, 1, 127, 128, 16383, 16384, ~std::uint64_t{0} >> 1, ~std::uint64_t{0}};
  const double reals[] = {0.0, -0.0, 1.5, std::numeric_limits<double>::infinity(), 5e-324};
  ByteWriter to;
  for (const std::uint64_t n : numbers) {
    to.number(n);
    to.word(n);
    to.integer(static_cast<std::int64_t>(n));
  }
  for (const double d : reals) to.real(d);
  to.real(std::nan(""));
  to.text("text");
  ByteReader from(to.bytes());
  for (const std::uint64_t n : numbers) {
    EXPECT_EQ(from.number(), n);
    EXPECT_EQ(from.word(), n);
    EXPECT_EQ(from.integer(), static_cast<std::int64_t>(n));
  }
  for (const double d : reals) {
    const double read = from.real();
    EXPECT_EQ(read, d);
    EXPECT_EQ(std::signbit(read), std::signbit(d));
  }
  EXPECT_TRUE(std::isnan(from.real()));
  EXPECT_EQ(from.text(), "text");
  EXPECT_TRUE(from.done());
}

TEST(Bytes, SmallNumbersAreShort) {
  ByteWriter to;
  to.number(127);
  to.integer(-64);
  EXPECT_EQ(to.size(), 2u);
}

TEST(Bytes, AReaderStopsAtTheFirstProblem) {
  ByteReader cut(
      "\x05"
      "abc");
  EXPECT_EQ(cut.text(), "");
  EXPECT_FALSE(cut.ok());
  EXPECT_EQ(cut.word(), 0u);
  EXPECT_EQ(cut.problem(), "the bytes end too early");
  const std::string ones(11, '\xff');
  ByteReader wide(ones);
  wide.number();
  EXPECT_FALSE(wide.ok());
  ByteReader greedy("\x7f");
  EXPECT_EQ(greedy.count(8), 0u);
  EXPECT_FALSE(greedy.ok());
  // Three things of one byte fit; as 10 bytes each in memory they do not into 29, but into 30.
  ByteReader small(
      "\x03"
      "abc",
      29);
  EXPECT_EQ(small.count(1, 10), 0u);
  EXPECT_EQ(small.problem(), "it takes more memory than the run may have");
  ByteReader large(
      "\x03"
      "abc",
      30);
  EXPECT_EQ(large.count(1, 10), 3u);
  EXPECT_EQ(large.room(), 0u);
  EXPECT_FALSE(large.charge(1));
  ByteReader more("ab");
  more.byte();
  EXPECT_FALSE(more.done());
}

TEST(Bytes, DamageOfSealedBytesIsFound) {
  const std::string whole = sealed("test", 3, "what is inside");
  std::string problem;
  EXPECT_EQ(opened("test", 3, whole, &problem), "what is inside");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_FALSE(opened("test", 3, whole.substr(0, i), &problem)) << i;
    for (const int bit : {1, 8, 128}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      EXPECT_FALSE(opened("test", 3, damaged, &problem)) << i;
    }
  }
  EXPECT_FALSE(opened("test", 3, whole + "x", &problem));
  EXPECT_FALSE(opened("rest", 3, whole, &problem));
  EXPECT_EQ(problem, "these are bytes of another kind ('test')");
  EXPECT_FALSE(opened("test", 4, whole, &problem));
  EXPECT_EQ(problem, "they are of version 3, and this program reads version 4");
}

}  // namespace
}  // namespace chancel
