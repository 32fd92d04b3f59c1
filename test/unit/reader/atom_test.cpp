// SPDX-License-Identifier: Apache-2.0
// Numbers, strings, characters, names: what each literal reads as, and which are refused.
#include <gtest/gtest.h>

#include <cmath>

#include "reading.hpp"

namespace chancel {
namespace {

struct Literal {
  const char* text;
  const char* shown;
};

void check(std::initializer_list<Literal> literals) {
  for (const Literal& literal : literals) {
    EXPECT_EQ(read_and_show(literal.text), literal.shown) << literal.text;
  }
}

TEST(ReadNumber, Integers) {
  check({{"0", "0"},
         {"1", "1"},
         {"-7", "-7"},
         {"+7", "7"},
         {"-0", "0"},
         {"0x1F", "31"},
         {"0Xff", "255"},
         {"-0x10", "-16"},
         {"017", "15"},
         {"-017", "-15"},
         {"00", "0"},
         {"2r101", "5"},
         {"-2r101", "-5"},
         {"36rZz", "1295"},
         {"16RFF", "255"},
         {"12N", "12N"},
         {"0N", "0N"},
         {"0x1FN", "31N"},
         {"9223372036854775807", "9223372036854775807"},
         {"-9223372036854775808", "-9223372036854775808"},
         {"0x7fffffffffffffff", "9223372036854775807"}});
}

TEST(ReadNumber, IntegersOfAnySize) {
  check({{"9223372036854775808", "9223372036854775808N"},
         {"-9223372036854775809", "-9223372036854775809N"},
         {"99999999999999999999999", "99999999999999999999999N"},
         {"123456789012345678901N", "123456789012345678901N"},
         {"-0x10000000000000000", "-18446744073709551616N"},
         {"0xFFFFFFFFFFFFFFFF", "18446744073709551615N"}});
}

TEST(ReadNumber, IntegersThatAreNone) {
  check({{"08", "S005@0"},
         {"019", "S005@0"},
         {"2r102", "S005@0"},
         {"37r1", "S005@0"},
         {"1r0", "S005@0"},
         {"0x", "S005@0"},
         {"1x", "S005@0"},
         {"1+", "S005@0"},
         {"12abc", "S005@0"},
         {"1'", "S005@0"},
         {"1.5N", "S005@0"}});
}

TEST(ReadNumber, Doubles) {
  check({{"1.5", "1.5"},           {"-1.5", "-1.5"},
         {"+1.5", "1.5"},          {"1e3", "1000.0"},
         {"1E3", "1000.0"},        {"1e+3", "1000.0"},
         {"1.5e-3", "0.0015"},     {"5.", "5.0"},
         {"-5.", "-5.0"},          {".5", "0.5"},
         {"-.5", "-0.5"},          {"+.25", "0.25"},
         {".5e1", "5.0"},          {"08.5", "8.5"},
         {"0.1", "0.1"},           {"1e-400", "0.0"},
         {"-0.0", "-0.0"},         {"123456789.125", "1.23456789125E8"},
         {"4.9e-324", "5.0E-324"}, {"1.7976931348623157e308", "1.7976931348623157E308"}});
  EXPECT_EQ(Reading("0.1").forms[0].real, 0.1);
  EXPECT_EQ(Reading("1e22").forms[0].real, 1e22);
}

TEST(ReadNumber, DoublesThatAreNone) {
  check({{"1e999", "S005@0"},
         {"-1e999", "S005@0"},
         {"1e", "S005@0"},
         {"1e+", "S005@0"},
         {"1.2.3", "S005@0"},
         {"1.5x", "S005@0"},
         {".5.", "S005@0"},
         {"1e5.5", "S005@0"}});
}

TEST(ReadNumber, Ratios) {
  check({{"1/3", "1/3"},
         {"4/2", "2"},
         {"-6/4", "-3/2"},
         {"+6/4", "3/2"},
         {"0/5", "0"},
         {"007/010", "7/10"},
         {"-9223372036854775808/2", "-4611686018427387904"},
         {"1/0", "S005@0"},
         {"1/-2", "S005@0"},
         {"1/", "S005@0"},
         {"1/2/3", "S005@0"},
         {"1/x", "S005@0"},
         {"1.5/2", "S005@0"},
         {"1/99999999999999999999", "1/99999999999999999999"}});
  const Datum ratio = Reading("-6/4").forms[0];
  EXPECT_EQ(ratio.kind, DatumKind::Ratio);
  EXPECT_EQ(ratio.integer, -3);
  EXPECT_EQ(ratio.denominator, 2);
}

TEST(ReadNumber, SymbolicValues) {
  check({{"##Inf", "##Inf"},
         {"##-Inf", "##-Inf"},
         {"##NaN", "##NaN"},
         {"##Foo", "S007@0"},
         {"##", "S007@0"}});
  EXPECT_TRUE(std::isnan(Reading("##NaN").forms[0].real));
}

TEST(ReadString, Escapes) {
  EXPECT_EQ(Reading(R"("plain")").forms[0].text, "plain");
  EXPECT_EQ(Reading(R"("")").forms[0].text, "");
  EXPECT_EQ(Reading(R"("a\n\t\r\b\f\"\\z")").forms[0].text, "a\n\t\r\b\f\"\\z");
  EXPECT_EQ(Reading(R"("\u03bb\u03BB")").forms[0].text, "\u03bb\u03bb");
  EXPECT_EQ(Reading(R"("\uD83D\uDE00")").forms[0].text, "\U0001F600");
  EXPECT_EQ(Reading(R"("\101\7\o102")").forms[0].text, "A\aB");
  EXPECT_EQ(Reading("\"two\nlines\"").forms[0].text, "two\nlines");
  EXPECT_EQ(Reading("\"\u00e9; not a comment (\"").forms[0].text, "\u00e9; not a comment (");
}

TEST(ReadString, Mistakes) {
  check({{R"("a\q")", "S004@2"},
         {R"("\u12")", "S004@1"},
         {R"("\uD83D")", "S004@1"},
         {R"("\uDE00\uD83D")", "S004@1 S004@7"},
         {R"("\o")", "S004@1"},
         {R"("\777")", "S004@1"},
         {R"("\q\z")", "S004@1 S004@3"},
         {"\"abc", "S003@0"},
         {"\"abc\\", "S003@0"},
         {"\"abc\\\"", "S003@0"},
         {"\"\xff\xff\"", "S010@1"},
         {"\"\\\xc3\"", "S004@1"}});
  // The rest is read after a bad escape, and nothing after an open string.
  EXPECT_EQ(Reading("\"\\q\" b").forms.size(), 1u);
  EXPECT_EQ(Reading("a \"b (c").forms.size(), 1u);
  EXPECT_EQ(Reading("a \"b (c").mistakes(), "S003@2");
}

TEST(ReadRegex, KeepsBackslashes) {
  check({{R"(#"\d+")", R"((re-pattern "\\d+"))"},
         {R"(#"a\"b")", R"((re-pattern "a\\\"b"))"},
         {R"(#"")", R"((re-pattern ""))"},
         {R"(#"abc)", "S003@0"},
         {R"(#"abc\")", "S003@0"},
         {"#\"\xff\"", "S010@0"}});
}

TEST(ReadChar, Names) {
  auto code = [](const char* text) { return Reading(text).forms.at(0).integer; };
  EXPECT_EQ(code("\\a"), 'a');
  EXPECT_EQ(code("\\newline"), '\n');
  EXPECT_EQ(code("\\space"), ' ');
  EXPECT_EQ(code("\\tab"), '\t');
  EXPECT_EQ(code("\\return"), '\r');
  EXPECT_EQ(code("\\formfeed"), '\f');
  EXPECT_EQ(code("\\backspace"), '\b');
  EXPECT_EQ(code("\\u03bb"), 0x3bb);
  EXPECT_EQ(code("\\o101"), 'A');
  EXPECT_EQ(code("\\u"), 'u');
  EXPECT_EQ(code("\\o"), 'o');
  EXPECT_EQ(code("\\("), '(');
  EXPECT_EQ(code("\\;"), ';');
  EXPECT_EQ(code("\\\\"), '\\');
  EXPECT_EQ(code("\\\""), '"');
  EXPECT_EQ(code("\\\u03bb"), 0x3bb);
  EXPECT_EQ(code("\\\U0001F600"), 0x1F600);
  EXPECT_EQ(code("#\\a"), 'a');
  check({{"[\\a\\b]", "[\\a \\b]"},
         {"[\\(\\)]", "[\\( \\)]"},
         {"(\\a)", "(\\a)"},
         {"\\ ", "\\space"},
         {"\\,", "\\,"},
         {"\\foo", "S006@0"},
         {"\\u12", "S004@0"},
         {"\\uD800", "S004@0"},
         {"\\o777", "S004@0"},
         {"\\", "S006@0"},
         {"\\\xff", "S010@0"}});
}

TEST(ReadName, Symbols) {
  check({{"a", "a"},
         {"null?", "null?"},
         {"set!", "set!"},
         {"->x", "->x"},
         {"+", "+"},
         {"-", "-"},
         {"/", "/"},
         {"a/b", "a/b"},
         {"clojure.core//", "clojure.core//"},
         {"Math/log", "Math/log"},
         {"...", "..."},
         {".method", ".method"},
         {"a.b.C.", "a.b.C."},
         {"x'", "x'"},
         {"a#b", "a#b"},
         {"x#", "x#"},
         {"&", "&"},
         {"%", "%"},
         {"-a", "-a"},
         {"+'", "+'"},
         {"*x*", "*x*"},
         {"<=", "<="},
         {"a:b", "a:b"},
         {"a|b", "a|b"},
         {"\u03bc\u03c3", "\u03bc\u03c3"},
         {"niljs", "niljs"},
         {"truely", "truely"}});
  EXPECT_EQ(Reading("a/b").forms[0].name->ns, "a");
  EXPECT_EQ(Reading("abc").forms[0].name, intern("abc"));
}

TEST(ReadName, Keywords) {
  check({{":a", ":a"},
         {":a/b", ":a/b"},
         {"::a", ":user/a"},
         {"::s/a", ":s/a"},
         {":1", ":1"},
         {":a.b", ":a.b"},
         {":+", ":+"},
         {":a?", ":a?"},
         {":log-weight", ":log-weight"}});
  EXPECT_EQ(Reading(":a").forms[0].kind, DatumKind::Keyword);
}

TEST(ReadName, Mistakes) {
  check({{":", "S006@0"},
         {"::", "S006@0"},
         {":::a", "S006@0"},
         {":a:", "S006@0"},
         {"a:", "S006@0"},
         {"a/", "S006@0"},
         {"/a", "S006@0"},
         {":a/", "S006@0"},
         {"a::b", "S006@0"},
         {"a:/b", "S006@0"},
         {"a\xff", "S010@1"},
         {"a\x01"
          "b",
          "S010@1"},
         {"\x01 a", "S010@0"}});
}

TEST(ReadName, Constants) {
  check({{"nil", "nil"},
         {"true", "true"},
         {"false", "false"},
         {"#t", "true"},
         {"#f", "false"},
         {"#true", "true"},
         {"#false", "false"}});
}

TEST(ReadBlank, WhiteSpaceAndComments) {
  check({{"", ""},
         {"  ,,\t\r\n ", ""},
         {"; only", ""},
         {"a,b", "a b"},
         {"a;b\nc", "a c"},
         {"#!/bin/x\na", "a"},
         {"a #! b\nc", "a c"},
         {"\uFEFF(a)", "(a)"},
         {"a\u00a0b", "a b"},
         {"a\u2003b", "a b"},
         {"a ; \xff\xfe\nb", "a b"},
         {"(a;)\n)", "(a)"},
         {"\"a\"b", "\"a\" b"},
         {"a\"b\"", "a \"b\""},
         {"a(b)", "a (b)"},
         {"1[2]", "1 [2]"}});
}

}  // namespace
}  // namespace chancel
