// SPDX-License-Identifier: Apache-2.0
// Collections, marks and shorthands, with the places they keep.
#include <gtest/gtest.h>

#include "reading.hpp"

namespace chancel {
namespace {

TEST(ReadForm, Collections) {
  EXPECT_EQ(read_and_show("()"), "()");
  EXPECT_EQ(read_and_show("(a (b [c {d e} #{f}]))"), "(a (b [c {d e} #{f}]))");
  EXPECT_EQ(read_and_show("[1,2 , 3]"), "[1 2 3]");
  EXPECT_EQ(read_and_show("{:a 1 :b {}}"), "{:a 1, :b {}}");
  EXPECT_EQ(read_and_show("#{}"), "#{}");
  EXPECT_EQ(read_and_show("a (b) [c]"), "a (b) [c]");
  EXPECT_EQ(Reading("{:a 1 :b 2}").forms[0].items.size(), 4u);
}

TEST(ReadForm, Marks) {
  EXPECT_EQ(read_and_show("'x"), "(quote x)");
  EXPECT_EQ(read_and_show("''x"), "(quote (quote x))");
  EXPECT_EQ(read_and_show("'(a b)"), "(quote (a b))");
  EXPECT_EQ(read_and_show("@x"), "(deref x)");
  EXPECT_EQ(read_and_show("#'x"), "(var x)");
  EXPECT_EQ(read_and_show("~x"), "S012@0");
  EXPECT_EQ(read_and_show("~@x"), "S012@0");
  EXPECT_EQ(read_and_show("' x"), "(quote x)");
  EXPECT_EQ(read_and_show("'#_a b"), "(quote b)");
  EXPECT_EQ(read_and_show("['a'b]"), "[(quote a'b)]");  // ' may stand inside a name
}

TEST(ReadForm, Discard) {
  EXPECT_EQ(read_and_show("#_a b"), "b");
  EXPECT_EQ(read_and_show("(a #_(b c) d)"), "(a d)");
  EXPECT_EQ(read_and_show("#_#_a b c"), "c");
  EXPECT_EQ(read_and_show("{:a #_1 2}"), "{:a 2}");
  EXPECT_EQ(read_and_show("(a #_b)"), "(a)");
  EXPECT_EQ(read_and_show("#_ 'a"), "");
}

TEST(ReadForm, Conditionals) {
  EXPECT_EQ(read_and_show("#?(:clj 1 :default 2)"), "1");
  EXPECT_EQ(read_and_show("#?(:cljs 1 :default 2)"), "2");
  EXPECT_EQ(read_and_show("[#?(:cljs 1)]"), "[]");
  EXPECT_EQ(read_and_show("#?(:cljs 1)"), "");
  EXPECT_EQ(read_and_show("[#?@(:clj [1 2]) 3]"), "[1 2 3]");
  EXPECT_EQ(read_and_show("#?(:cljs #js {:a 1} :clj x)"), "x");
  EXPECT_EQ(read_and_show("'#?(:cljs 1) y"), "(quote y)");
  EXPECT_EQ(read_and_show("#?(:clj)"), "S012@0");
  EXPECT_EQ(read_and_show("[#?@(:clj 1)]"), "S012@10");
  EXPECT_EQ(read_and_show("#?@(:clj [1])"), "S012@0");
  EXPECT_EQ(read_and_show("#?(x 1 :clj 2)"), "S012@3");
}

TEST(ReadForm, NamespacedMaps) {
  EXPECT_EQ(read_and_show("#:n{:a 1 :_/b 2 :c/d 3 \"s\" 4}"), "{:n/a 1, :b 2, :c/d 3, \"s\" 4}");
  EXPECT_EQ(read_and_show("#::{:a 1}"), "{:user/a 1}");
  EXPECT_EQ(read_and_show("#:n"), "S007@0");
  EXPECT_EQ(read_and_show("#:{:a 1}"), "S007@0");
}

TEST(ReadForm, Metadata) {
  Reading r("^:private ^String ^{:doc \"d\" :private false} x");
  ASSERT_EQ(r.shown(), "x");
  const Datum& x = r.forms[0];
  EXPECT_EQ(r.source(x), "x");
  ASSERT_TRUE(x.meta);
  EXPECT_EQ(to_text(*x.meta), "{:private true, :tag String, :doc \"d\"}");
  EXPECT_EQ(to_text(*Reading("#^\"[D\" x").forms[0].meta), "{:tag \"[D\"}");
  EXPECT_EQ(to_text(*Reading("(f ^:a [b])").forms[0].items[1].meta), "{:a true}");
  EXPECT_FALSE(Reading("x").forms[0].meta);
  EXPECT_EQ(read_and_show("^1 x"), "S006@1");
  EXPECT_EQ(read_and_show("^:a"), "S009@0");
  EXPECT_EQ(read_and_show("(^:a)"), "S009@1");
}

TEST(ReadForm, FnLiterals) {
  EXPECT_EQ(read_and_show("#(+ 1 2)"), "(fn* [] (+ 1 2))");
  EXPECT_EQ(read_and_show("#(inc %)"), "(fn* [p1__1_0#] (inc p1__1_0#))");
  EXPECT_EQ(read_and_show("#(+ %1 %)"), "(fn* [p1__1_0#] (+ p1__1_0# p1__1_0#))");
  EXPECT_EQ(read_and_show("#(f %3)"), "(fn* [p1__1_0# p2__1_0# p3__1_0#] (f p3__1_0#))");
  EXPECT_EQ(read_and_show("#(apply f % %&)"),
            "(fn* [p1__1_0# & rest__1_0#] (apply f p1__1_0# rest__1_0#))");
  EXPECT_EQ(read_and_show("#(f [% {:a %2}])"),
            "(fn* [p1__1_0# p2__1_0#] (f [p1__1_0# {:a p2__1_0#}]))");
  EXPECT_EQ(read_and_show("[#(%) #(%)]"),
            "[(fn* [p1__1_1#] (p1__1_1#)) (fn* [p1__1_6#] (p1__1_6#))]");
  EXPECT_EQ(read_and_show("#()"), "(fn* [] ())");
  EXPECT_EQ(read_and_show("#(rem 5 a%b)"), "(fn* [] (rem 5 a%b))");
  EXPECT_EQ(read_and_show("#(f #(g))"), "S012@4");
  EXPECT_EQ(read_and_show("#(f %x)"), "S012@4");
  EXPECT_EQ(read_and_show("#(f %0)"), "S012@4");
  EXPECT_EQ(read_and_show("#(f %21)"), "S012@4");
}

TEST(ReadForm, FnLiteralPlaces) {
  Reading r("(map #(+ % %2) xs)");
  const Datum& fn = r.forms.at(0).items.at(1);
  EXPECT_EQ(r.source(fn), "#(+ % %2)");
  EXPECT_EQ(r.source(fn.items[0]), "#");
  EXPECT_EQ(r.source(fn.items[1].items[0]), "%");
  EXPECT_EQ(r.source(fn.items[1].items[1]), "%2");
  EXPECT_EQ(r.source(fn.items[2]), "(+ % %2)");
  EXPECT_EQ(r.source(fn.items[2].items[1]), "%");
}

TEST(ReadForm, SyntaxQuote) {
  EXPECT_EQ(read_and_show("`x"), "(quote x)");
  EXPECT_EQ(read_and_show("`:k"), ":k");
  EXPECT_EQ(read_and_show("`1"), "1");
  EXPECT_EQ(read_and_show("`nil"), "nil");
  EXPECT_EQ(read_and_show("`~x"), "x");
  EXPECT_EQ(read_and_show("`()"), "(list)");
  EXPECT_EQ(read_and_show("`(a ~b ~@c)"), "(seq (concat (list (quote a)) (list b) c))");
  EXPECT_EQ(read_and_show("`[a ~b]"), "(vec (concat (list (quote a)) (list b)))");
  EXPECT_EQ(read_and_show("`{a ~b}"), "(apply hash-map (seq (concat (list (quote a)) (list b))))");
  EXPECT_EQ(read_and_show("`#{~a}"), "(apply hash-set (seq (concat (list a))))");
  EXPECT_EQ(read_and_show("`(let [x# 1] x#)"),
            "(seq (concat (list (quote let)) (list (vec (concat (list (quote x__1_0__auto__)) "
            "(list 1)))) "
            "(list (quote x__1_0__auto__))))");
  EXPECT_EQ(read_and_show("`a/b#"), "(quote a/b#)");
  EXPECT_EQ(read_and_show("`'~x"), "(seq (concat (list (quote quote)) (list x)))");
  EXPECT_EQ(read_and_show("`~@x"), "S012@1");
}

TEST(ReadForm, SyntaxQuoteNamesDiffer) {
  Reading r("`x# `x#");
  EXPECT_EQ(r.shown(), "(quote x__1_0__auto__) (quote x__1_4__auto__)");
}

TEST(ReadForm, NestedSyntaxQuote) {
  // ``x is code that builds the code of `x.
  EXPECT_EQ(read_and_show("``x"), "(seq (concat (list (quote quote)) (list (quote x))))");
  EXPECT_EQ(read_and_show("````x").substr(0, 4), "(seq");
  EXPECT_EQ(read_and_show("`````x"), "S011@4");
  EXPECT_EQ(read_and_show(std::string(60, '`') + "(a)").substr(0, 4), "S011");
}

TEST(ReadForm, SyntaxQuotePlaces) {
  Reading r("`(aa ~bb)");
  const Datum& concat = r.forms.at(0).items.at(1);
  EXPECT_EQ(r.source(concat.items[1]), "aa");
  EXPECT_EQ(r.source(concat.items[1].items[1].items[1]), "aa");
  EXPECT_EQ(r.source(concat.items[2].items[1]), "bb");
}

TEST(ReadForm, Places) {
  Reading r("(a [bb \"c\"] 'd {:e #{f}} \\x ^:g h #_i @(j))");
  ASSERT_EQ(r.mistakes(), "");
  const Datum& list = r.forms.at(0);
  EXPECT_EQ(r.source(list), r.sources.text(1));
  const char* parts[] = {"a", "[bb \"c\"]", "'d", "{:e #{f}}", "\\x", "h", "@(j)"};
  ASSERT_EQ(list.items.size(), std::size(parts));
  for (std::size_t i = 0; i < std::size(parts); ++i) EXPECT_EQ(r.source(list.items[i]), parts[i]);
  EXPECT_EQ(r.source(list.items[1].items[1]), "\"c\"");
  EXPECT_EQ(r.source(list.items[2].items[0]), "'");
  EXPECT_EQ(r.source(list.items[2].items[1]), "d");
  EXPECT_EQ(r.source(list.items[3].items[1]), "#{f}");
}

TEST(ReadForm, VentureProgram) {
  EXPECT_EQ(read_and_show(
                "[assume p (lambda (x) (if (null? x) #t .5))]\n[observe (flip p) #f]\n[predict p]"),
            "[assume p (lambda (x) (if (null? x) true 0.5))] [observe (flip p) false] [predict p]");
}

TEST(ReadForm, MacroNamesDifferBetweenFiles) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t one = sources.add("a", "`x#");
  const std::uint32_t two = sources.add("b", "`x#");
  EXPECT_FALSE(same_data(read_all(sources, one, sink)[0], read_all(sources, two, sink)[0]));
}

}  // namespace
}  // namespace chancel
