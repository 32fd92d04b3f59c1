// SPDX-License-Identifier: Apache-2.0
// Data as text and back, sameness, builders, and random texts that must neither crash nor change
// when re-read.
#include "reader/datum.hpp"

#include <gtest/gtest.h>

#include <random>

#include "reading.hpp"

namespace chancel {
namespace {

TEST(Datum, TextReadsBack) {
  const char* texts[] = {"nil",
                         "true",
                         "-5",
                         "1/3",
                         "-7/2",
                         "0.1",
                         "1.0E10",
                         "1.5E-5",
                         "##Inf",
                         "##-Inf",
                         "##NaN",
                         "-0.0",
                         ":a/b",
                         "a/b",
                         "/",
                         "\"q\\\"\\\\\\n\\t\\r\\f\\b\"",
                         "\\a",
                         "\\newline",
                         "\\space",
                         "\\u0000",
                         "\\u00A0",
                         "\\,",
                         "\\(",
                         "()",
                         "[]",
                         "{}",
                         "#{}",
                         "(> bet 0.7)",
                         "{:a 1, :b [2 3]}",
                         "#{1}",
                         "(quote x)",
                         "(fn* [p1__1_0#] (f p1__1_0#))",
                         "(re-pattern \"\\\\d\")"};
  for (const char* text : texts) {
    Reading r(text);
    ASSERT_EQ(r.forms.size(), 1u) << text << r.mistakes();
    EXPECT_EQ(to_text(r.forms[0]), text);
    EXPECT_TRUE(same_data(r.forms[0], Reading(to_text(r.forms[0])).forms.at(0))) << text;
  }
}

TEST(Datum, SameData) {
  auto same = [](const char* a, const char* b) {
    return same_data(Reading(a).forms.at(0), Reading(b).forms.at(0));
  };
  EXPECT_TRUE(same("(a b)", "(a   b)"));
  EXPECT_TRUE(same("^:m x", "x"));
  EXPECT_TRUE(same("{:a 1 :b 2}", "{:b 2 :a 1}"));
  EXPECT_TRUE(same("#{1 2 3}", "#{3 1 2}"));
  EXPECT_TRUE(same("##NaN", "##NaN"));
  EXPECT_TRUE(same("2/4", "1/2"));
  EXPECT_FALSE(same("{:a 1 :b 2}", "{:a 2 :b 1}"));
  EXPECT_FALSE(same("#{1 2}", "#{1 3}"));
  EXPECT_FALSE(same("(a)", "[a]"));
  EXPECT_FALSE(same("(a)", "(a b)"));
  EXPECT_FALSE(same("a", ":a"));
  EXPECT_FALSE(same("1", "1.0"));
  EXPECT_FALSE(same("-0.0", "0.0"));
  EXPECT_FALSE(same("\"a\"", "\\a"));
  EXPECT_FALSE(same("true", "false"));
  EXPECT_FALSE(same("1/2", "1/3"));
}

TEST(Datum, Builders) {
  const Span span{1, 2, 3};
  std::vector<Datum> items;
  items.push_back(make_symbol("f", span));
  items.push_back(make_keyword("k", span));
  items.push_back(make_int(-3, span));
  items.push_back(make_string("s\n", span));
  items.push_back(make_nil(span));
  items.push_back(make_bool(true, span));
  items.push_back(make_vector({}, span));
  const Datum list = make_list(std::move(items), span);
  EXPECT_EQ(to_text(list), "(f :k -3 \"s\\n\" nil true [])");
  EXPECT_EQ(list.items[3].span, span);
  EXPECT_TRUE(list.is_list_headed("f"));
  EXPECT_FALSE(list.is_list_headed("g"));
  EXPECT_TRUE(list.items[0].is_symbol("f"));
  EXPECT_FALSE(list.items[1].is_symbol("k"));
}

// Reads, renders every message, prints every form and reads it again.
void exercise(const std::string& text) {
  Reading r(text);
  is_complete(text);
  for (const Diagnostic& d : r.sink.list()) {
    ASSERT_LE(d.span.begin, d.span.end);
    ASSERT_LE(d.span.end, text.size());
    render(d, r.sources);
  }
  for (const Datum& form : r.forms) {
    const std::string printed = to_text(form);
    Reading again(printed);
    ASSERT_EQ(again.mistakes(), "") << printed;
    ASSERT_EQ(again.forms.size(), 1u) << printed;
    ASSERT_TRUE(same_data(form, again.forms[0])) << printed;
  }
}

TEST(Robust, RandomBytes) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 3000; ++round) {
    std::string text(random() % 60, ' ');
    for (char& c : text) c = static_cast<char>(random());
    exercise(text);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(Robust, RandomTokens) {
  const char* pieces[] = {
      "(",       ")",         "[",      "]",      "{",   "}",    "#{",         "#(",        "'",
      "`",       "~",         "~@",     "@",      "^",   "#_",   "#'",         "#?(",       "#?@(",
      ":clj ",   ":default ", "\"",     "\"a\" ", "\\",  "\\a ", "\\newline ", "#\"",       "; c\n",
      "a ",      "b# ",       "% ",     "%2 ",    "%& ", ":k ",  "::k ",       "1 ",        "2.5 ",
      "1/2 ",    "nil ",      "##NaN ", "#t ",    " ",   "\n",   "(def x\n",   "\n(def y ", "#:n{",
      "\u03bb ", "\xff",      "\x01",   "#foo ",  ")",   "]",    "}"};
  std::mt19937 random(7);
  for (int round = 0; round < 6000; ++round) {
    std::string text;
    const unsigned count = random() % 40;
    for (unsigned i = 0; i < count; ++i) text += pieces[random() % std::size(pieces)];
    exercise(text);
    if (HasFatalFailure()) FAIL() << "round " << round << ": " << text;
  }
}

}  // namespace
}  // namespace chancel
