// SPDX-License-Identifier: Apache-2.0
// The place of a chart in the page: report.js draws into its canvas what `chart` says, of number `of`.
#pragma once
#include <fmt/format.h>

#include <string>

#include "page/html_text.hpp"

namespace chancel::page {

inline std::string canvas(const char* chart, std::size_t of, const std::string& description) {
  return fmt::format(
      "<div class=\"box\"><canvas data-chart=\"{}\" data-of=\"{}\" role=\"img\" "
      "aria-label=\"{}\"></canvas></div>",
      chart, of, html(description));
}

inline std::string figure(const char* chart, std::size_t of, const std::string& caption,
                          const std::string& label, bool wide) {
  return fmt::format("<figure{}><figcaption>{}</figcaption>{}</figure>\n",
                     wide ? " class=\"wide\"" : "", html(caption),
                     canvas(chart, of, label + ": " + caption));
}

}  // namespace chancel::page
