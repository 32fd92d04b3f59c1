// SPDX-License-Identifier: Apache-2.0
// Messages as people see them, letter by letter.
#include <gtest/gtest.h>

#include "diag/diagnostic.hpp"

namespace chancel {
namespace {

// A diagnostic whose span covers the first occurrence of `marked` in `text`.
struct Case {
  SourceMap sources;
  Diagnostic diagnostic{Code::D001, Severity::Error, {}, "normal: sd must be positive, got -1", {},
                        {}};

  Case(const std::string& text, const std::string& marked) {
    const std::uint32_t file = sources.add("models/hmm/hmm.clj", text);
    diagnostic.span = span(file, marked);
  }
  Span span(std::uint32_t file, const std::string& marked) const {
    const auto at = static_cast<std::uint32_t>(sources.text(file).find(marked));
    return {file, at, at + static_cast<std::uint32_t>(marked.size())};
  }
  std::string shown(bool colour = false) const { return render(diagnostic, sources, colour); }
};

TEST(Render, PlaceCodeLineCaret) {
  Case c("\n\n\n\n\n\n    (observe (normal mu -1) y)\n", "-1");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:7:25: error[D001]: normal: sd must be positive, got -1\n"
            "   7 |     (observe (normal mu -1) y)\n"
            "     |                         ^^\n");
}

TEST(Render, NotesAndHint) {
  Case c("(let [sd -1]\n  (normal 0 sd))\n", "(normal 0 sd)");
  c.diagnostic.notes.push_back({c.span(1, "sd -1"), "sd is bound here"});
  c.diagnostic.notes.push_back({{}, "while drawing particle 3"});
  c.diagnostic.hint = "give a positive number";
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:2:3: error[D001]: normal: sd must be positive, got -1\n"
            "   2 |   (normal 0 sd))\n"
            "     |   ^^^^^^^^^^^^^\n"
            "models/hmm/hmm.clj:1:7: note: sd is bound here\n"
            "   1 | (let [sd -1]\n"
            "     |       ^^^^^\n"
            "note: while drawing particle 3\n"
            "hint: give a positive number\n");
}

TEST(Render, UnknownPlace) {
  Case c("x", "x");
  c.diagnostic.span = {};
  EXPECT_EQ(c.shown(), "error[D001]: normal: sd must be positive, got -1\n");
  c.diagnostic.span = {99, 0, 1};  // a file that is not in the map
  EXPECT_EQ(c.shown(), "error[D001]: normal: sd must be positive, got -1\n");
  c.diagnostic.severity = Severity::Warning;
  EXPECT_EQ(c.shown(), "warning[D001]: normal: sd must be positive, got -1\n");
}

TEST(Render, Tabs) {
  Case c("\t(normal\t0 -1)", "-1");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:12: error[D001]: normal: sd must be positive, got -1\n"
            "   1 |     (normal    0 -1)\n"
            "     |                  ^^\n");
}

TEST(Render, Utf8Columns) {
  Case c("(str \"\u03b1\u03b2\" \u03bc\u03c3 -1)", "\u03bc\u03c3");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:11: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | (str \"\u03b1\u03b2\" \u03bc\u03c3 -1)\n"
            "     |           ^^\n");
}

TEST(Render, BrokenBytesAndControls) {
  Case c("a\xff\x01 -1", "-1");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:5: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | a?? -1\n"
            "     |     ^^\n");
}

TEST(Render, SpanOverLinesStopsAtFirst) {
  Case c("(do (foo\n  bar))\n", "(foo\n  bar)");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:5: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | (do (foo\n"
            "     |     ^^^^\n");
}

TEST(Render, WindowsLineEnds) {
  Case c("(do\r\n  (foo\r\n bar))", "(foo\r\n bar)");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:2:3: error[D001]: normal: sd must be positive, got -1\n"
            "   2 |   (foo\n"
            "     |   ^^^^\n");
}

TEST(Render, EndOfText) {
  Case c("(foo", "(foo");
  c.diagnostic.span = {1, 4, 4};
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:5: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | (foo\n"
            "     |     ^\n");
  c.diagnostic.span = {1, 400, 500};
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:5: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | (foo\n"
            "     |     ^\n");
}

TEST(Render, EmptyText) {
  Case c("x", "x");
  c.diagnostic.span = {c.sources.add("empty.clj", ""), 0, 0};
  EXPECT_EQ(c.shown(),
            "empty.clj:1:1: error[D001]: normal: sd must be positive, got -1\n"
            "   1 |\n"
            "     | ^\n");
}

TEST(Render, LongLineIsCutAroundCaret) {
  Case c(std::string(500, 'a') + " -1 " + std::string(500, 'b'), "-1");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:502: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | ..." +
                std::string(29, 'a') + " -1 " + std::string(67, 'b') + "...\n     | " +
                std::string(33, ' ') + "^^\n");
}

TEST(Render, LongLineCaretNearStart) {
  Case c("-1 " + std::string(500, 'b'), "-1");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:1: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | -1 " +
                std::string(97, 'b') + "...\n     | ^^\n");
}

TEST(Render, LongSpanIsCut) {
  Case c(std::string(300, 'x'), std::string(300, 'x'));
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:1:1: error[D001]: normal: sd must be positive, got -1\n"
            "   1 | " +
                std::string(100, 'x') + "...\n     | " + std::string(100, '^') + "\n");
}

TEST(Render, WideLineNumbersKeepGutter) {
  Case c(std::string(12344, '\n') + "x", "x");
  EXPECT_EQ(c.shown(),
            "models/hmm/hmm.clj:12345:1: error[D001]: normal: sd must be positive, got -1\n"
            "12345 | x\n"
            "      | ^\n");
}

TEST(Render, Colour) {
  Case c("x", "x");
  c.diagnostic.hint = "give a positive number";
  EXPECT_EQ(
      c.shown(true),
      "\x1b[1mmodels/hmm/hmm.clj:1:1:\x1b[0m \x1b[1;31merror[D001]:\x1b[0m normal: sd must be "
      "positive, got -1\n   1 | x\n     | \x1b[1;31m^\x1b[0m\n\x1b[1;36mhint:\x1b[0m give a "
      "positive number\n");
}

}  // namespace
}  // namespace chancel
