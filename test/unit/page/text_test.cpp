// SPDX-License-Identifier: Apache-2.0
// Text in pages: escaping, filling in, colours, numbers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "page/html_text.hpp"
#include "page/json_numbers.hpp"
#include "page/source_view.hpp"

namespace chancel::page {
namespace {

TEST(Html, NothingGetsOut) {
  EXPECT_EQ(html("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
  const std::string json = script_json(Json{{"a", "</script><!--&"}}.dump());
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(json).at("a"), "</script><!--&");
}

TEST(Html, WhatIsFilledInIsNotLookedAtAgain) {
  EXPECT_EQ(fill("a {{x}} b {{y}} c {{z}} {{", {{"x", "{{y}}"}, {"y", "2"}}),
            "a {{y}} b 2 c {{z}} {{");
}

TEST(Numbers, KeepWhatAScreenCanShow) {
  EXPECT_EQ(json_numbers(std::vector<double>{0.123456789, 1.5, NAN}).dump(), "[0.1235,1.5,null]");
  EXPECT_EQ(json_numbers(std::vector<double>{1e6 + 0.001, 1e6 + 0.002}).dump(),
            "[1000000.001,1000000.002]");
  EXPECT_EQ(json_numbers(std::vector<double>{0, 3, 12}).dump(), "[0,3,12]");
  EXPECT_EQ(json_number(INFINITY).dump(), "null");
}

TEST(Source, IsColouredByItsTokens) {
  const auto lines =
      coloured_lines("; a <b>\n(defquery q [x] \"s\\\"(\" :k 1/2 nil\n  (normal 0 \\( xs))\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "<i class=\"c\">; a &lt;b&gt;</i>");
  EXPECT_EQ(lines[1],
            "(<i class=\"f\">defquery</i> q [x] <i class=\"s\">&quot;s\\&quot;(&quot;</i> <i "
            "class=\"k\">:k</i> "
            "<i class=\"n\">1/2</i> <i class=\"v\">nil</i>");
  EXPECT_EQ(lines[2],
            "  (<i class=\"d\">normal</i> <i class=\"n\">0</i> <i class=\"s\">\\(</i> xs))");
}

TEST(Source, StringsOverLinesAndTextsThatEndInOne) {
  const auto lines = coloured_lines("\"a\nb\" x\n\"open");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "<i class=\"s\">&quot;a</i>");
  EXPECT_EQ(lines[1], "<i class=\"s\">b&quot;</i> x");
  EXPECT_EQ(lines[2], "<i class=\"s\">&quot;open</i>");
}

}  // namespace
}  // namespace chancel::page
