// SPDX-License-Identifier: Apache-2.0
// Segments of worksheets, pages of forms, charts as SVG.
#include "chancel/worksheet.hpp"

#include <gtest/gtest.h>

namespace chancel {
namespace {

constexpr const char* kGorilla = R"(;; gorilla-repl.fileformat = 1

;; **
;;; # Title
;;;
;;; Text
;; **

;; @@
(def x 1)
(println x)
;; @@
;; ->
;;; 1
;;;
;; <-
;; =>
;;; {"type":"html","content":"<span>nil</span>"}
;; <=

;; @@
(inc x) ; two
;; @@
)";

TEST(Worksheet, has_segments_of_code_and_text) {
  const auto cells = worksheet_cells(kGorilla);
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_TRUE(cells[0].markdown);
  EXPECT_EQ(cells[0].text, "# Title\n\nText\n");
  EXPECT_EQ(cells[0].line, 3u);
  EXPECT_EQ(cells[1].text, "(def x 1)\n(println x)\n");
  EXPECT_EQ(cells[1].line, 10u);
  EXPECT_EQ(cells[2].text, "(inc x) ; two\n");
  EXPECT_EQ(std::string(kGorilla).substr(cells[2].begin, 7), "(inc x)");
}

TEST(Worksheet, plain_files_are_code) {
  const auto cells = worksheet_cells("(+ 1 2)\r\n;; **\r\n;;; a\r\n;; **\r\n(+ 3 4)");
  ASSERT_EQ(cells.size(), 3u);
  EXPECT_EQ(cells[1].text, "a\n");
  EXPECT_EQ(cells[2].text, "(+ 3 4)");
  EXPECT_TRUE(worksheet_cells("").empty());
  EXPECT_EQ(worksheet_cells(";; **\n;;; open").size(), 1u);  // ends with the file
}

std::string page_of(const std::string& text, std::size_t* pictures = nullptr) {
  Script script({}, 1);
  WorksheetPage page("sheet.clj", text, 1);
  script.evaluate_forms(text, "sheet.clj", [&](const Form& form) {
    page.add(form);
    return true;
  });
  if (pictures) *pictures = page.pictures();
  return page.make();
}

bool has(const std::string& page, std::string_view what) {
  return page.find(what) != std::string::npos;
}

TEST(Worksheet, page_has_source_value_output_and_error) {
  const std::string page = page_of(kGorilla);
  EXPECT_TRUE(has(page, "<title>Title</title>"));
  EXPECT_TRUE(has(page, "<h1 id=\"section-1\">Title</h1>"));
  EXPECT_TRUE(has(page, "<pre class=\"output\">1</pre>"));
  EXPECT_TRUE(has(page, "<pre class=\"value program\"><i class=\"n\">2</i></pre>"));
  EXPECT_TRUE(has(page, "; two"));
  EXPECT_FALSE(has(page, "span&gt;nil"));  // stored output
  EXPECT_FALSE(has(page, ";; @@"));

  const std::string bad = page_of("(def a 3)\n(/ a 0)\n(nosuch a)\n(inc a)");
  EXPECT_TRUE(has(bad, "sheet.clj:2:6: error[R006]"));
  EXPECT_TRUE(has(bad, "     ^</pre>"));
  EXPECT_TRUE(has(bad, "error[F001]"));
  EXPECT_TRUE(has(bad, "<i class=\"n\">4</i></pre>"));
  EXPECT_TRUE(has(bad, "2 failed"));
  EXPECT_TRUE(has(page_of("(+ 1 2"), "error[S001]"));
}

TEST(Worksheet, page_says_what_was_not_evaluated) {
  CompileOptions options;
  options.limits.timeout = 0.1;
  Script script(options, 1);
  const std::string text = "(inc 1)\n(loop [] (recur))\n(inc 2)\n";
  WorksheetPage page("sheet.clj", text);
  std::vector<std::string> codes;
  script.evaluate_forms(text, "sheet.clj", [&](const Form& form) {
    page.add(form);
    for (const Message& m : form.errors) codes.push_back(m.code);
    return true;
  });
  EXPECT_EQ(codes, std::vector<std::string>{"L002"});
  EXPECT_TRUE(has(page.make(), "not evaluated"));
}

TEST(Worksheet, pictures_are_counted_where_they_are) {
  std::size_t pictures = 0;
  const std::string page = page_of(
      "(histogram [1 2 3])\n[(list-plot [1 2]) (list-plot [3])]\n"
      "(grid-view [[(list-plot [1]) 2]])\n(image-view [[0 1]])\n(def p (list-plot [1 2]))",
      &pictures);
  EXPECT_EQ(pictures, 5u);
  std::size_t canvases = 0;
  for (std::size_t at = 0; (at = page.find("<canvas", at)) != std::string::npos; ++at) ++canvases;
  EXPECT_EQ(canvases, 4u);
  EXPECT_TRUE(has(page, "data:image/png;base64,"));
}

TEST(Worksheet, texts_of_programs_stay_texts) {
  const std::string page = page_of(
      ";; **\n;;; </title><script>alert(1)</script>\n;; **\n"
      "\"</script><script>alert(2)</script>\"\n(println \"</pre><script>alert(3)</script>\")\n"
      "(list-plot [1 2] :x-title \"</script><script>alert(4)</script>\" :color "
      "\"red\\\"><script>\")\n"
      "(bar-chart [\"</script><script>alert(5)\"] [1])\n"
      "(html-view \"<script>alert(6)</script>\")");
  EXPECT_FALSE(has(page, "<script>alert"));
}

// Programs may write such maps themselves.
TEST(Worksheet, malformed_views_do_no_harm) {
  const char* const kForms[] = {
      "{:chancel/view :table :rows 5}",
      "{:chancel/view :table :rows [[1] 2 nil] :options 7}",
      "{:chancel/view :histogram :data \"x\"}",
      "{:chancel/view :histogram :data [\"a\" nil {}] :options {:bins \"x\" :color [1] :plot-size "
      ":big}}",
      "{:chancel/view :list-plot :data [1 [2] [3 4 5] \"x\" nil] :options []}",
      "{:chancel/view :bar-chart :data [1 [] [2] [\"a\" \"b\"] {:a 1}]}",
      "{:chancel/view :compose :plots [1 {:chancel/view :compose} {:chancel/view :nosuch} nil]}",
      "{:chancel/view :compose :plots 3}",
      "{:chancel/view :plot}",
      "{:chancel/view :band-plot :data [[1 2]]}",
      "{:chancel/view :grid :rows [1 2]}",
      "{:chancel/view :list :items {:a 1}}",
      "{:chancel/view :image :rows [[1 2] [\"a\"] []]}",
      "{:chancel/view :image :source \"javascript:alert(1)\" :path 3}",
      "{:chancel/view :html :text 3}",
      "{:chancel/view :latex}",
      "{:chancel/view 3}",
      "{:chancel/view :nosuch}",
      "[{:log-weight 1 :result nil :predicts [1 2]} {:log-weight 2 :result nil :predicts [[1]]}]",
      "[{:log-weight Double/NaN :result 1 :predicts []} {:log-weight ##Inf :result 3 :predicts "
      "[]}]",
      "(list-plot [1 2] :plot-size 1e300 :aspect-ratio 1e-300 :symbol-size 1e308 :symbol \"no\")",
      "(histogram [1 2 3] :bins 1e18)",
      "(nth (iterate (fn [x] (list-view [x])) 1) 3000)",
      "(nth (iterate (fn [x] (compose x)) (list-plot [1 2])) 3000)",
      "(nth (iterate (fn [x] [x]) (list-plot [1 2])) 3000)",
      "(nth (iterate (fn [x] (list-view (repeat 50 x))) 1) 11)",
      "(nth (iterate (fn [x] (table-view (repeat 50 [x]))) 1) 11)"};
  for (const char* form : kForms) {
    Script script({}, 1);
    script.evaluate_forms(form, "f", [&](const Form& f) {
      EXPECT_FALSE(f.failed()) << f.errors[0].text;
      EXPECT_LT(show_text(f.value).size(), 200'000u) << form;
      EXPECT_LT(show_html(f.value).size(), 2'000'000u) << form;
      EXPECT_EQ(show_html(f.value).find("nan"), std::string::npos) << form;
      return true;
    });
  }
}

std::string html_of(const std::string& form) {
  Script script({}, 1);
  std::string out;
  script.evaluate_forms(form, "f", [&](const Form& f) {
    out = f.failed() ? f.errors[0].text : show_html(f.value);
    return true;
  });
  return out;
}

TEST(Worksheet, html_of_values_needs_nothing_else) {
  const std::string svg = html_of("(list-plot [[0 1] [1 3] [2 2]] :joined true :x-title \"a<b\")");
  EXPECT_TRUE(has(svg, "<svg "));
  EXPECT_TRUE(has(svg, "a&lt;b"));
  EXPECT_FALSE(has(svg, "<script"));
  EXPECT_FALSE(has(svg, "nan"));
  EXPECT_TRUE(
      has(html_of("(table-view [[1 2.5]] :columns [:a :b])"), "<th class=\"number\">:a</th>"));
  const std::string draws =
      html_of("(take 20 (doquery :importance (query (predict :x (sample (normal 0 1)))) nil))");
  EXPECT_TRUE(has(draws, "<code>:x</code>"));
  EXPECT_TRUE(has(draws, "20 draws"));
  EXPECT_TRUE(has(html_of("(latex-view \"x^2\")"), "<math"));
  EXPECT_TRUE(has(html_of("\"<b>\""), "&lt;b&gt;"));
}

}  // namespace
}  // namespace chancel
