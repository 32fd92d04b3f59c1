// SPDX-License-Identifier: Apache-2.0
// Markdown as HTML: CommonMark and tables, parsed by md4c. HTML inside the text comes out as text,
// links go to web and mail addresses only, formulas ($...$, $$...$$, and @@...@@ as Gorilla has them)
// become MathML.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace chancel::page {

struct Heading {
  int level = 1;
  std::string id, html;
};

// Headings get the ids section-N, counted from `headings`, to which they are added.
std::string markdown_html(std::string_view text, std::vector<Heading>& headings);

}  // namespace chancel::page
