// SPDX-License-Identifier: Apache-2.0
// The small vocabulary: asserts, UTF-8, log space, edit distance, doubles as text.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/assert.hpp"
#include "base/double_text.hpp"
#include "base/edit_distance.hpp"
#include "base/utf8.hpp"

namespace chancel {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Assert, ThrowsWithPlace) {
  EXPECT_NO_THROW(CHANCEL_ASSERT(true, "fine"));
  try {
    CHANCEL_ASSERT(1 > 2, "one is not more than two");
    FAIL() << "did not throw";
  } catch (const InternalError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("one is not more than two"), std::string::npos);
    EXPECT_NE(text.find("base/base_test.cpp:"), std::string::npos);
    EXPECT_EQ(text.find("unit/base"), std::string::npos);
  }
}

TEST(Utf8, RoundTrip) {
  for (std::uint32_t c :
       {0u, 0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu, 0xE000u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    append_utf8(text, c);
    const DecodedChar d = decode_utf8(text, 0);
    EXPECT_TRUE(d.valid);
    EXPECT_EQ(d.code_point, c);
    EXPECT_EQ(d.length, text.size());
  }
}

TEST(Utf8, InvalidTakesOneByte) {
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF5\x80\x80\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    const DecodedChar d = decode_utf8(bad, 0);
    EXPECT_FALSE(d.valid);
    EXPECT_EQ(d.length, 1u);
    EXPECT_EQ(d.code_point, kReplacement);
    EXPECT_EQ(find_invalid_utf8(bad), 0u);
  }
  EXPECT_EQ(find_invalid_utf8("abc\u00e9"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2u);
  EXPECT_EQ(utf8_length("h\u00e9\u20ac\U0001F600"), 4u);
  std::string surrogate;
  append_utf8(surrogate, 0xD800);
  EXPECT_EQ(surrogate, "\uFFFD");
}

TEST(EditDistance, Counts) {
  EXPECT_EQ(edit_distance("", "", 5), 0u);
  EXPECT_EQ(edit_distance("abc", "abc", 5), 0u);
  EXPECT_EQ(edit_distance("abc", "", 5), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
  EXPECT_EQ(edit_distance("smaple", "sample", 5), 1u);  // a swap is one slip
  EXPECT_EQ(edit_distance("ab", "ba", 5), 1u);
  EXPECT_EQ(edit_distance("normal", "nromla", 5), 2u);
  EXPECT_EQ(edit_distance("completely", "different!", 2), 3u);  // limit + 1
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3u);
}

TEST(DoubleText, AsJava) {
  EXPECT_EQ(java_double_text(0), "0.0");
  EXPECT_EQ(java_double_text(-0.0), "-0.0");
  EXPECT_EQ(java_double_text(1), "1.0");
  EXPECT_EQ(java_double_text(-2.5), "-2.5");
  EXPECT_EQ(java_double_text(0.1), "0.1");
  EXPECT_EQ(java_double_text(0.7), "0.7");
  EXPECT_EQ(java_double_text(0.001), "0.001");
  EXPECT_EQ(java_double_text(0.00015), "1.5E-4");
  EXPECT_EQ(java_double_text(123456.789), "123456.789");
  EXPECT_EQ(java_double_text(9999999), "9999999.0");
  EXPECT_EQ(java_double_text(1e7), "1.0E7");
  EXPECT_EQ(java_double_text(1.25e10), "1.25E10");
  EXPECT_EQ(java_double_text(1e100), "1.0E100");
  EXPECT_EQ(java_double_text(kInf), "##Inf");
  EXPECT_EQ(java_double_text(-kInf), "##-Inf");
  EXPECT_EQ(java_double_text(std::nan("")), "##NaN");
}

}  // namespace
}  // namespace chancel
