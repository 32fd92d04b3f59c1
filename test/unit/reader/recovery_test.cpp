// SPDX-License-Identifier: Apache-2.0
// Mistakes: their codes and places, several in one text, what is still read, and the REPL's
// question.
#include <gtest/gtest.h>

#include "reading.hpp"

namespace chancel {
namespace {

TEST(Recovery, Unclosed) {
  EXPECT_EQ(read_and_show("("), "S001@0");
  EXPECT_EQ(read_and_show("(a [b"), "S001@3");
  EXPECT_EQ(read_and_show("#{a"), "S001@0");
  EXPECT_EQ(read_and_show("#(a"), "S001@0");
  EXPECT_EQ(read_and_show("(a '"), "S001@0");
  EXPECT_EQ(read_and_show("a (b"), "S001@2");
  EXPECT_EQ(Reading("a (b").forms.size(), 1u);
  Reading r("(a #{b");
  EXPECT_EQ(r.sink.list()[0].message, "'#{' is never closed");
  ASSERT_EQ(r.sink.list()[0].notes.size(), 1u);
  EXPECT_EQ(r.sink.list()[0].notes[0].span.begin, 0u);
}

TEST(Recovery, UnclosedBeforeDefinition) {
  Reading r("(defn f [x]\n  (let [y 1]\n    y)\n\n(defn g [] 2)\n(h)\n");
  EXPECT_EQ(r.mistakes(), "S001@0");
  EXPECT_EQ(r.sink.list()[0].hint, "a definition starts in line 5: is ')' missing before it?");
  ASSERT_EQ(r.forms.size(), 2u);
  EXPECT_EQ(to_text(r.forms[0]), "(defn g [] 2)");
  EXPECT_EQ(to_text(r.forms[1]), "(h)");
}

TEST(Recovery, SeveralUnclosedDefinitions) {
  Reading r("(def a (\n(def b 1x)\n(def c [\n(def d 4)\n");
  EXPECT_EQ(r.mistakes(), "S001@7 S005@16 S001@27");
  ASSERT_EQ(r.forms.size(), 1u);
  EXPECT_EQ(to_text(r.forms[0]), "(def d 4)");
}

TEST(Recovery, DefinitionsInsideAFormAreFine) {
  EXPECT_EQ(Reading("(do\n(def a 1)\n(def b 2))").mistakes(), "");
}

TEST(Recovery, WrongCloser) {
  EXPECT_EQ(read_and_show(")"), "S002@0");
  EXPECT_EQ(read_and_show("a) b"), "S002@1");
  EXPECT_EQ(Reading("a) b").forms.size(), 2u);
  EXPECT_EQ(read_and_show("(a]"), "S002@2");     // closes the list anyway
  EXPECT_EQ(read_and_show("(a [b)"), "S002@5");  // closes both
  EXPECT_EQ(read_and_show("[(a] b"), "S002@3");
  EXPECT_EQ(Reading("[(a] b").forms.size(), 1u);  // b
  EXPECT_EQ(read_and_show("([{)"), "S002@3");
  EXPECT_EQ(read_and_show("((a}) (b]"), "S002@3 S002@8");
  Reading r("(foo [1 2)");
  EXPECT_EQ(r.sink.list()[0].message, "expected ']' but found ')'");
  EXPECT_EQ(r.sink.list()[0].notes[0].text, "'[' is opened here");
}

TEST(Recovery, FormsWithMistakesAreLeftOut) {
  Reading r("(a 1x) (b) (c \"\\q\") d 2y e");
  EXPECT_EQ(r.mistakes(), "S005@3 S004@15 S005@22");
  ASSERT_EQ(r.forms.size(), 3u);
  EXPECT_EQ(to_text(r.forms[0]), "(b)");
  EXPECT_EQ(to_text(r.forms[1]), "d");
  EXPECT_EQ(to_text(r.forms[2]), "e");
}

TEST(Recovery, Maps) {
  EXPECT_EQ(read_and_show("{:a}"), "S008@0");
  EXPECT_EQ(read_and_show("{:a 1 :b}"), "S008@0");
  EXPECT_EQ(read_and_show("{:a 1 :a 2}"), "S008@6");
  EXPECT_EQ(read_and_show("#{1 2 1}"), "S008@6");
  EXPECT_EQ(read_and_show("#{[1 {2 3}] [1 {2 3}]}"), "S008@12");
  EXPECT_EQ(read_and_show("#{#{1 2} #{2 1}}"), "S008@9");
  EXPECT_EQ(read_and_show("#{1 1.0 \"1\" \\1 :1 a :a 1/2}"), "#{1 1.0 \"1\" \\1 :1 a :a 1/2}");
  EXPECT_EQ(read_and_show("#{1x 2y}"), "S005@2 S005@5");  // stand-ins are not duplicates
}

TEST(Recovery, NothingToQuote) {
  EXPECT_EQ(read_and_show("'"), "S009@0");
  EXPECT_EQ(read_and_show("(a ')"), "S009@3");
  EXPECT_EQ(read_and_show("(a #_)"), "S009@3");
  EXPECT_EQ(read_and_show("[~@]"), "S009@1");
  EXPECT_EQ(read_and_show("('')"), "S009@2 S009@1");
}

TEST(Recovery, Dispatch) {
  EXPECT_EQ(read_and_show("#inst \"2020\""), "S007@0");
  EXPECT_EQ(read_and_show("#<foo>"), "S007@0");
  EXPECT_EQ(read_and_show("#"), "S007@0");
  EXPECT_EQ(read_and_show("(# )"), "S007@1");
  EXPECT_EQ(read_and_show("#[a]"), "S007@0");
  EXPECT_EQ(read_and_show("(#)"), "S007@1");
}

TEST(Recovery, NestingLimit) {
  auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "x";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  const std::string deepest = nested(kMaxNesting, "(", ")");
  EXPECT_EQ(read_and_show(deepest), deepest);
  EXPECT_EQ(read_and_show(nested(kMaxNesting + 1, "[", "]")), "S011@2000");
  EXPECT_EQ(read_and_show(nested(1000000, "[", "]")), "S011@2000");
  EXPECT_EQ(read_and_show(nested(kMaxNesting, "#{", "}")), nested(kMaxNesting, "#{", "}"));
  EXPECT_EQ(Reading(nested(kMaxNesting, "'", "")).mistakes(), "");
  EXPECT_EQ(Reading(nested(kMaxNesting + 1, "'", "")).mistakes(), "S011@2000");
  EXPECT_EQ(Reading(nested(kMaxNesting / 2, "^a ", "")).mistakes(), "");
  EXPECT_EQ(Reading(nested(kMaxNesting, "^", " y")).mistakes(), "");
  EXPECT_EQ(Reading("`" + nested(600, "(", ")")).mistakes(), "");
  EXPECT_EQ(Reading("`" + nested(1900, "(", ")")).mistakes(), "S011@0");
  EXPECT_EQ(Reading("`" + nested(900, "[~", "]")).mistakes(), "");
}

TEST(Recovery, StopsWhenHopeless) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "(1x ] \x01 ";
  EXPECT_LE(Reading(text).sink.list().size(), 25u);
  text.clear();
  for (int i = 0; i < 20000; ++i) text += "(def a\n";
  EXPECT_LE(Reading(text).sink.list().size(), 25u);
}

TEST(Recovery, Rendered) {
  Reading r("(foo\n  [1 2)");
  EXPECT_EQ(render(r.sink.list().at(0), r.sources),
            "t.clj:2:7: error[S002]: expected ']' but found ')'\n"
            "   2 |   [1 2)\n"
            "     |       ^\n"
            "t.clj:2:3: note: '[' is opened here\n"
            "   2 |   [1 2)\n"
            "     |   ^\n");
}

TEST(IsComplete, Repl) {
  for (const char* text : {"", " ", "a", "(a)", "(a) b", "; x", "\"a\"", "'a", ")", "(a]", "1x",
                           "(a \\()", "#_a", "(1x ", "\"\\q"}) {
    EXPECT_TRUE(is_complete(text)) << text;
  }
  for (const char* text :
       {"(", "(a", "[a (b)", "{:a", "#{", "#(", "\"abc", "(a \"b", "'", "(a '", "#_", "^:a",
        "(defn f []\n(defn g [])", "(a ; )", "#\"a", "`(a ~", "(a \\)"}) {
    EXPECT_FALSE(is_complete(text)) << text;
  }
}

}  // namespace
}  // namespace chancel
