// SPDX-License-Identifier: Apache-2.0
// Strings, regular expressions and format. Expected values were given by Clojure 1.11.
#include "calls.hpp"
#include "library/regex_program.hpp"

namespace chancel {
namespace {

class PrimitivesText : public PrimitivesTest {
 protected:
  std::string find(std::string_view pattern, std::string_view text) {
    return call("re-find", {s(pattern), s(text)});
  }
  std::string format(std::string_view f, Values args) {
    args.insert(args.begin(), s(f));
    return call("format", args);
  }
};

TEST_F(PrimitivesText, Strings) {
  EXPECT_EQ(call("str", {i(1), s("a"), kw("b"), nil(), ch('c'), v({s("x")})}),
            "\"1a:bc[\\\"x\\\"]\"");
  EXPECT_EQ(call("str", {d(INFINITY), d(1e10)}), "\"Infinity1.0E10\"");
  EXPECT_EQ(call("subs", {s("h\xc3\xa9llo"), i(1), i(3)}), "\"\xc3\xa9l\"");
  EXPECT_EQ(call("subs", {s("abc"), i(2), i(9)}),
            "R004/2 subs: end 9 is out of range for a string of 3 characters");
  EXPECT_EQ(call("upper-case", {s("h\xc3\xa9")}), "\"H\xc3\x89\"");
  EXPECT_EQ(call("clojure.string/reverse", {s("a\xc3\xa9z")}),
            "\"z\xc3\xa9"
            "a\"");
  EXPECT_EQ(call("split-lines", {s("a\nb\r\n\n")}), "[\"a\" \"b\"]");
  EXPECT_EQ(call("index-of", {s("abc"), s("z")}), "nil");
  EXPECT_EQ(call("parse-double", {s(" 1.5e3 ")}), "1500.0");
  EXPECT_EQ(call("parse-long", {s("12x")}), "nil");
  EXPECT_EQ(call("Integer/parseInt", {s("x")}), "R009/0 parseLong: \"x\" is not an integer");
}

TEST_F(PrimitivesText, RegularExpressions) {
  EXPECT_EQ(find("(\\d+)-(\\d+)", "x 12-34 y"), "[\"12-34\" \"12\" \"34\"]");
  EXPECT_EQ(find("(a|ab)(c|bcd)(d*)", "abcd"), "[\"abcd\" \"a\" \"bcd\" \"\"]");
  EXPECT_EQ(find("x{2,3}?", "xxxx"), "\"xx\"");
  EXPECT_EQ(find("(x+?)(x+)", "xxxx"), "[\"xxxx\" \"x\" \"xxx\"]");
  EXPECT_EQ(find("a|b|c|d", "xd"), "\"d\"");
  EXPECT_EQ(find("(?i)HELLO", "say hello"), "\"hello\"");
  EXPECT_EQ(find("[^a-c\\d]+", "ab1xyz"), "\"xyz\"");
  EXPECT_EQ(find("\\bfoo\\b", "a foo b"), "\"foo\"");
  EXPECT_EQ(call("re-matches", {s("a(b)?c"), s("ac")}), "[\"ac\" nil]");
  EXPECT_EQ(call("re-matches", {s("a|ab"), s("ab")}), "\"ab\"");
  EXPECT_EQ(call("re-seq", {s("a*"), s("baac")}), "(\"\" \"aa\" \"\" \"\")");
}

TEST_F(PrimitivesText, BadPatternsSayWhere) {
  EXPECT_EQ(find("a(b", "x"), "R009/0 re-pattern: a ( without its ) at character 4");
  EXPECT_EQ(find("*a", "x"), "R009/0 re-pattern: nothing to repeat at character 1");
  EXPECT_EQ(find("[a", "x"), "R009/0 re-pattern: a [ without its ] at character 3");
  EXPECT_EQ(find("(a)\\1", "x"),
            "R009/0 re-pattern: back-references are not supported at character 6");
  EXPECT_EQ(find("(?=a)", "x").substr(0, 7), "R009/0 ");
  EXPECT_EQ(find("(((a{999}){999}){999})", "x").substr(0, 7), "R009/0 ");
}

TEST_F(PrimitivesText, NoInputIsExponentialOrDeep) {
  const std::string many(20000, 'a');
  EXPECT_EQ(call("re-matches", {s("(a*)*b"), s(many)}), "nil");
  EXPECT_EQ(value("count", {value("re-find", {s("(a|aa)+"), s(many)})}).i, 2);
  EXPECT_EQ(find(std::string(5000, '(') + std::string(5000, ')'), "x").substr(0, 7), "R009/0 ");
}

TEST_F(PrimitivesText, SplitAndReplace) {
  const Value comma = value("re-pattern", {s(",")});
  EXPECT_EQ(call("split", {s("a,b,,c,,"), comma}), "[\"a\" \"b\" \"\" \"c\"]");
  EXPECT_EQ(call("split", {s("a,b,c"), comma, i(2)}), "[\"a\" \"b,c\"]");
  EXPECT_EQ(call("split", {s("abc"), value("re-pattern", {s("")})}), "[\"a\" \"b\" \"c\"]");
  EXPECT_EQ(call("clojure.string/replace", {s("hello"), value("re-pattern", {s("l+")}), s("[$0]")}),
            "\"he[ll]o\"");
  EXPECT_EQ(call("clojure.string/replace", {s("a.b"), s("."), s("-")}), "\"a-b\"");
  EXPECT_EQ(call("clojure.string/replace", {s("ab"), value("re-pattern", {s("a")}), s("$2")})
                .substr(0, 7),
            "R009/2 ");
}

TEST_F(PrimitivesText, FormatFollowsJava) {
  EXPECT_EQ(format("%d|%5d|%-5d|%05d|%,d|%+d", {i(1), i(2), i(3), i(-4), i(1234567), i(5)}),
            "\"1|    2|3    |-0004|1,234,567|+5\"");
  EXPECT_EQ(format("%.1f %.1f %.2f %.0f %.0f", {d(0.25), d(0.35), d(1.005), d(0.5), d(1.5)}),
            "\"0.3 0.4 1.01 1 2\"");
  EXPECT_EQ(format("%f %e %g", {d(1.5), d(12345.678), d(0.0001234)}),
            "\"1.500000 1.234568e+04 0.000123400\"");
  EXPECT_EQ(format("%6g %6g %6g", {d(1e-5), d(1e6), d(123456.7)}),
            "\"1.00000e-05 1.00000e+06 123457\"");
  EXPECT_EQ(format("%g %g %g", {d(0), d(100000), d(999999.9)}), "\"0.00000 100000 1.00000e+06\"");
  EXPECT_EQ(format("%2$s %1$s %s", {i(1), s("b")}), "\"b 1 1\"");
  EXPECT_EQ(format("%x %o %c %b %n%%", {i(255), i(8), ch('x'), nil()}), "\"ff 10 x false \\n%\"");
  EXPECT_EQ(format("%f %8.2f|", {d(NAN), d(-INFINITY)}), "\"NaN -Infinity|\"");
  EXPECT_EQ(format("%.20f", {d(0.1)}), "\"0.10000000000000000000\"");
  EXPECT_EQ(format("%(d", {i(-5)}), "\"(5)\"");
  EXPECT_EQ(format("%.3f", {i(2)}), "\"2.000\"");
}

TEST_F(PrimitivesText, FormatErrors) {
  EXPECT_EQ(format("%d", {d(1.5)}), "R009/1 format: %d needs an integer, got the number 1.5");
  EXPECT_EQ(format("%d %d", {i(1)}), "R009/0 format: there is no argument for \"%d\"");
  EXPECT_EQ(format("%", {}), "R009/0 format: \"%\" is not a complete directive");
  EXPECT_EQ(format("%q", {i(1)}), "R009/0 format: %q is not a conversion");
  EXPECT_EQ(format("%99999d", {i(1)}).substr(0, 7), "R009/0 ");
}

}  // namespace
}  // namespace chancel
