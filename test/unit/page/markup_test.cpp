// SPDX-License-Identifier: Apache-2.0
// Text of programs inside pages: Markdown, formulas and HTML bring in nothing but what is meant.
#include <gtest/gtest.h>

#include "page/markdown.hpp"
#include "page/mathml.hpp"
#include "page/safe_html.hpp"

namespace chancel::page {
namespace {

std::string md(std::string_view text) {
  std::vector<Heading> headings;
  return markdown_html(text, headings);
}

TEST(Markdown, has_headings_lists_code_and_tables) {
  std::vector<Heading> headings;
  const std::string html = markdown_html("# A *b*\n\n## C\n\n- x\n- `y`\n", headings);
  EXPECT_EQ(html,
            "<h1 id=\"section-1\">A <em>b</em></h1>\n<h2 id=\"section-2\">C</h2>\n<ul>\n"
            "<li>x</li>\n<li><code>y</code></li>\n</ul>\n");
  ASSERT_EQ(headings.size(), 2u);
  EXPECT_EQ(headings[0].html, "A <em>b</em>");
  EXPECT_EQ(headings[1].level, 2);
  EXPECT_NE(md("| a | b |\n|---|--:|\n| 1 | 2 |\n").find("<td style=\"text-align:right\">2</td>"),
            std::string::npos);
  EXPECT_NE(md("```clojure\n(def x 1)\n```\n").find("<i class=\"f\">def</i>"), std::string::npos);
}

TEST(Markdown, cannot_add_scripts) {
  EXPECT_EQ(md("a <script>alert(1)</script> b").find("alert"), std::string::npos);
  EXPECT_EQ(md("<b onclick=\"x()\">a</b>"), "<p><b>a</b></p>\n");
  EXPECT_EQ(md("[x](javascript:alert(1))"), "<p>x</p>\n");
  EXPECT_EQ(md("[x](JaVaScRiPt:alert(1)) [y](data:text/html,z)"), "<p>x y</p>\n");
  EXPECT_EQ(md("![a](https://example.org/b.png)"),
            "<p><span class=\"note\">[picture: a]</span></p>\n");
  EXPECT_EQ(md("[x](https://example.org/\"onclick=\"y)").find("\"onclick"), std::string::npos);
  EXPECT_NE(md("[x](https://example.org)").find("<a href=\"https://example.org\""),
            std::string::npos);
}

TEST(Markdown, keeps_safe_html) {
  EXPECT_EQ(md("a <b>b</b> <sub>c</sub><br> d"), "<p>a <b>b</b> <sub>c</sub><br> d</p>\n");
  EXPECT_EQ(md("<div align=\"center\">\n<i>a</i> < b\n</div>\n"),
            "<div align=\"center\">\n<i>a</i> &lt; b\n</div>\n");
  EXPECT_EQ(md("<table><tr><td>1</td></tr></table>\n\nx"),
            "<table><tbody><tr><td>1</td></tr></tbody></table>\n<p>x</p>\n");
  EXPECT_EQ(md("x <b>*never closed*"), "<p>x <b><em>never closed</em></b></p><b>\n</b>");
  EXPECT_EQ(md("<img src=\"https://example.org/a.png\" alt=\"a\">"),
            "<span class=\"note\">[picture: a]</span>\n");
  EXPECT_EQ(md("\xEF\xA3\xB0"
               "0\xEF\xA3\xB1"),
            "<p>0</p>\n");  // the writer's own marks
}

TEST(Markdown, has_formulas) {
  EXPECT_EQ(md("a $x$ b"), "<p>a <math><mi>x</mi></math> b</p>\n");
  EXPECT_EQ(md("a @@x@@ b"), md("a $x$ b"));
  EXPECT_EQ(md("$x\\_1$ and @@y\\_{ab}@@"), md("$x_1$ and @@y_{ab}@@"));
  EXPECT_EQ(md("$a \\\\ b$"), md("$a \\\\ b$"));
  EXPECT_NE(md("$$x$$").find("<math display=\"block\">"), std::string::npos);
  for (const char* text : {"it costs $5 and $6", "a $ b $ c", "$x", "@@x", "`$x$ @@y@@`"})
    EXPECT_EQ(md(text).find("<math"), std::string::npos) << text;
  EXPECT_EQ(md("it costs $5 and $6"), "<p>it costs $5 and $6</p>\n");
  EXPECT_EQ(md("$x$ or $5"), "<p><math><mi>x</mi></math> or $5</p>\n");
}

std::string math(std::string_view tex) {
  const auto made = mathml(tex, true);
  if (!made) return "?";
  std::string text = *made;
  text.erase(0, std::string("<math display=\"block\">").size());
  return text.substr(0, text.size() - std::string("</math>").size());
}

TEST(MathMl, has_what_texts_on_statistics_use) {
  EXPECT_EQ(math("\\alpha_1"), "<msub><mi>α</mi><mn>1</mn></msub>");
  EXPECT_EQ(math("\\frac{1}{n}"), "<mfrac><mn>1</mn><mi>n</mi></mfrac>");
  EXPECT_EQ(math("\\sum_{i=1}^{n} x_i"),
            "<mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow>"
            "<mrow><mi>n</mi></mrow></munderover><msub><mi>x</mi><mi>i</mi></msub></mrow>");
  EXPECT_EQ(math("\\mathbb{R}"), "<mi mathvariant=\"normal\">ℝ</mi>");
  EXPECT_EQ(math("\\hat\\mu"), "<mover accent=\"true\"><mi>μ</mi><mo>^</mo></mover>");
  EXPECT_EQ(math("\\left( x \\right]"),
            "<mrow><mo stretchy=\"true\">(</mo><mi>x</mi><mo stretchy=\"true\">]</mo></mrow>");
  EXPECT_EQ(math("\\sqrt[3]{x}"), "<mroot><mi>x</mi><mn>3</mn></mroot>");
  EXPECT_NE(math("\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}").find("<mtable"),
            std::string::npos);
  EXPECT_NE(math("x \\sim \\mathcal{N}(\\mu, \\sigma^2)").find("𝒩"), std::string::npos);
  EXPECT_EQ(math("\\text{if } <x"), "<mrow><mtext>if </mtext><mo>&lt;</mo><mi>x</mi></mrow>");
}

TEST(MathMl, gives_up_where_it_does_not_know) {
  for (const char* tex : {"\\nosuchcommand", "{x", "x}", "x^", "\\frac{1}",
                          "\\begin{tikz}\\end{tikz}", "\\left(", "\\begin{matrix} a"})
    EXPECT_EQ(math(tex), "?") << tex;
  EXPECT_EQ(formula_html("\\nosuch<b>", false), "<code class=\"tex\">\\nosuch&lt;b&gt;</code>");
  EXPECT_EQ(math(std::string(1000, '{')), "?");  // any depth
}

TEST(SafeHtml, keeps_text_and_tables) {
  EXPECT_EQ(safe_html("<b>a</b> &lt; <i>b</i>"), "<b>a</b> &lt; <i>b</i>");
  EXPECT_EQ(safe_html("<table><tr><td colspan='2'>1</td></tr></table>"),
            "<table><tbody><tr><td colspan=\"2\">1</td></tr></tbody></table>");
  EXPECT_EQ(safe_html("<svg width=10><circle cx=\"1\" r=\"2\" fill=\"red\"/></svg>"),
            "<svg width=\"10\"><circle cx=\"1\" r=\"2\" fill=\"red\"></circle></svg>");
}

TEST(SafeHtml, cannot_add_scripts) {
  EXPECT_EQ(safe_html("a<script>x</script><style>y</style><iframe>z</iframe>"), "a");
  EXPECT_EQ(safe_html("<b onclick=\"x\" style='y' id=z>a</b>"), "<b>a</b>");
  EXPECT_EQ(safe_html("<img src=x onerror=y>"), "<span class=\"note\">[picture: x]</span>");
  EXPECT_EQ(safe_html("<img src='data:image/png;base64,AA==' alt='a\"b'>"),
            "<img src=\"data:image/png;base64,AA==\" alt=\"a&quot;b\">");
  EXPECT_EQ(safe_html("<a href='javascript:x'>y</a> <a href=' JaVascript:x'>z</a>"), "y z");
  EXPECT_EQ(safe_html("<a href='https://example.org/?a=1&b' target=_top>y</a>"),
            "<a href=\"https://example.org/?a=1&amp;b\" rel=\"noopener noreferrer\">y</a>");
  EXPECT_EQ(safe_html("<form action=x><input name=y>a</form><math><mi>b</mi></math>"), "ab");
  EXPECT_EQ(safe_html("<svg><rect fill=\"url(http://x)\"/></svg>"), "<svg><rect></rect></svg>");
  EXPECT_EQ(safe_html("</div></body><b>a"),
            "<b>a</b>");  // nothing is open, something is left open
  EXPECT_EQ(safe_html("<b <script>"), "<b></b>");
  EXPECT_EQ(safe_html("<b title=\"&quot;><script>\">x</b>"),
            "<b title=\"&quot;&gt;&lt;script&gt;\">x</b>");
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<b>";
  EXPECT_EQ(safe_html(deep).substr(0, 9), "&lt;b&gt;");  // any depth
}

}  // namespace
}  // namespace chancel::page
