// SPDX-License-Identifier: Apache-2.0
// Matches of patterns, as byte offsets. Expected offsets were worked out by hand from the rules of Java's Pattern.
#include "library/regex_program.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

class RegexProgram : public ::testing::Test {
 protected:
  Heap heap;
  Arena arena{heap};

  // "0-4 1-2 -": the groups of the match; a group that took no part is a dash. "none": there is no match.
  std::string match(std::string_view pattern, std::string_view text, std::size_t from = 0,
                    bool whole = false) {
    std::string error;
    const auto regex = Regex::compile(pattern, &error);
    if (!regex) return "error: " + error;
    NativeContext cx(arena);
    Regex::Match m;
    if (!regex->search(cx, text, from, whole, &m)) return "none";
    std::string out;
    for (std::size_t i = 0; i < m.starts.size(); ++i) {
      if (i > 0) out += ' ';
      out += m.starts[i] == std::string::npos
                 ? "-"
                 : std::to_string(m.starts[i]) + "-" + std::to_string(m.ends[i]);
    }
    return out;
  }
};

TEST_F(RegexProgram, FindsTheLeftmostMatchFromAPlaceOn) {
  EXPECT_EQ(match("ab", "xxabab"), "2-4");
  EXPECT_EQ(match("ab", "xxabab", 3), "4-6");
  EXPECT_EQ(match("ab", "xxabab", 5), "none");
  EXPECT_EQ(match("", "ab", 2), "2-2");
}

TEST_F(RegexProgram, EarlierAlternativesAndGreedyRepeatsWin) {
  EXPECT_EQ(match("a|ab", "ab"), "0-1");
  EXPECT_EQ(match("a*", "aaab"), "0-3");
  EXPECT_EQ(match("a*?b", "aaab"), "0-4");
  EXPECT_EQ(match("(a+)(a*)", "aaa"), "0-3 0-3 3-3");
  EXPECT_EQ(match("(a+?)(a*)", "aaa"), "0-3 0-1 1-3");
  EXPECT_EQ(match("a{2}", "aaa"), "0-2");
  EXPECT_EQ(match("a{2,}", "aaa"), "0-3");
  EXPECT_EQ(match("a{0,2}?c", "aac"), "0-3");
}

TEST_F(RegexProgram, AWholeMatchMayTakeALaterAlternative) {
  EXPECT_EQ(match("a|ab", "ab", 0, true), "0-2");
  EXPECT_EQ(match("a|ab", "abc", 0, true), "none");
  EXPECT_EQ(match("b", "ab", 0, true), "none");
}

TEST_F(RegexProgram, GroupsHoldTheirLastTurnOrNothing) {
  EXPECT_EQ(match("(a)|(b)", "b"), "0-1 - 0-1");
  EXPECT_EQ(match("(?:x(\\d))+", "x1x2"), "0-4 3-4");
  EXPECT_EQ(match("(?:a)(b)?", "ac"), "0-1 -");
}

TEST_F(RegexProgram, CharactersAreCodePointsAndOffsetsAreBytes) {
  EXPECT_EQ(match(".", "\xc3\xa9z"), "0-2");
  EXPECT_EQ(match("[\xc3\xa0-\xc3\xaf]z", "x\xc3\xa9z"), "1-4");
  EXPECT_EQ(match("[^a]", "a\xf0\x9f\x98\x80"), "1-5");
  EXPECT_EQ(match("\\w+\\s\\d", "ab_1 2"), "0-6");
  EXPECT_EQ(match("\\D\\W\\S", "a b"), "0-3");
}

TEST_F(RegexProgram, AnchorsAndFlags) {
  EXPECT_EQ(match("^b", "a\nb"), "none");
  EXPECT_EQ(match("(?m)^b", "a\nb"), "2-3");
  EXPECT_EQ(match("(?m)a$", "a\nb"), "0-1");
  EXPECT_EQ(match("a.b", "a\nb"), "none");
  EXPECT_EQ(match("(?s)a.b", "a\nb"), "0-3");
  EXPECT_EQ(match("(?i)aBc", "AbC"), "0-3");
  EXPECT_EQ(match("\\bcat\\b", "concat cat"), "7-10");
  EXPECT_EQ(match("\\Bcat", "cat concat"), "7-10");
}

TEST_F(RegexProgram, RefusesWhatItCannotDoInLinearTime) {
  EXPECT_EQ(match("(a)\\1", "aa").substr(0, 7), "error: ");
  EXPECT_EQ(match("(?=a)", "a").substr(0, 7), "error: ");
  EXPECT_EQ(match("(?<=a)b", "ab").substr(0, 7), "error: ");
  EXPECT_EQ(match("a++", "a").substr(0, 7), "error: ");
  // Backtracking would try 2^60 ways here.
  std::string pattern, text;
  for (int i = 0; i < 60; ++i) pattern += "a?", text += "a";
  EXPECT_EQ(match(pattern + text, text), "0-60");
  EXPECT_EQ(match("(?:a*)*b", std::string(2000, 'a')), "none");
}

}  // namespace
}  // namespace chancel
