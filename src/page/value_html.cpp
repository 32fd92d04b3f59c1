// SPDX-License-Identifier: Apache-2.0
#include "page/value_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "page/html_text.hpp"
#include "page/mathml.hpp"
#include "page/png.hpp"
#include "page/safe_html.hpp"
#include "page/source_view.hpp"
#include "page/summary_html.hpp"
#include "report/draws_view.hpp"
#include "report/short_text.hpp"
#include "report/text_table.hpp"
#include "report/view_parts.hpp"

namespace chancel::page {
namespace {

using namespace report;
using Kind = ValueView::Kind;
constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMostCell = 200;  // characters

std::string coloured(const std::string& text) {
  std::string out;
  for (const std::string& line : coloured_lines(text)) out += (out.empty() ? "" : "\n") + line;
  return out;
}

}  // namespace

std::string ValueHtml::block(const ValueView& v) {
  if (depth_ == 0) shown_ = 0;
  if (depth_ >= kMostViewDepth || shown_ >= kMostViews) return "<pre class=\"value\">…</pre>\n";
  ++depth_;
  ++shown_;
  std::string out;
  try {
    out = block_of(v);
  } catch (const Error&) {  // a map that says it is a view, and is not
    out = printed(v);
  }
  --depth_;
  return out;
}

std::string ValueHtml::printed(const ValueView& v) const {
  return "<pre class=\"value program\">" + coloured(short_text(v, most_)) + "</pre>\n";
}

std::string ValueHtml::block_of(const ValueView& v) {
  if (const auto chart = chart_of(v)) return figure(*chart);
  const std::string kind = view_kind(v);
  if (kind == "table") return table(v);
  if (kind == "grid") return grid(v);
  if (kind == "list") return items(view_items(v, "items"), "<li>", "</li>");
  if (kind == "html") return "<div class=\"html\">" + safe_html(view_text(v)) + "</div>\n";
  if (kind == "latex") return formula_html(view_text(v), true) + "\n";
  if (kind == "image") return image(v);
  if (are_draws(v)) return draws_html(summary_of_draws(v));
  if (holds_views(v)) return items(v.front(kMostParts).first, "<div>", "</div>");
  return printed(v);
}

std::string ValueHtml::figure(const Chart& chart) {
  ++pictures_;
  std::string out = "<figure class=\"picture\">" + draw_(chart);
  if (!chart.notes.empty()) {
    std::string notes;
    for (const std::string& note : chart.notes) notes += (notes.empty() ? "" : "; ") + note;
    out += "<figcaption>" + html(notes) + "</figcaption>";
  }
  return out + "</figure>\n";
}

std::string ValueHtml::items(const std::vector<ValueView>& all, const char* open,
                             const char* close) {
  const bool list = std::string_view(open) == "<li>";
  std::string out = list ? "<ul class=\"view\">\n" : "<div class=\"sequence\">\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostParts) && shown_ < kMostViews; ++i)
    out += open + block(all[i]) + close + "\n";
  if (all.size() > kMostParts)
    out += fmt::format("{}… {} more{}\n", open, all.size() - kMostParts, close);
  return out + (list ? "</ul>\n" : "</div>\n");
}

std::string ValueHtml::cell(const ValueView& v) {
  if (v.kind() == Kind::Real)
    return fmt::format("<td class=\"number\" title=\"{}\">{}</td>", html(v.print()),
                       short_number(v.number()));
  if (v.is_number()) return "<td class=\"number\">" + html(v.print()) + "</td>";
  if (!view_kind(v).empty()) return "<td>" + block(v) + "</td>";
  const bool text = v.kind() == Kind::String;
  return fmt::format("<td>{}{}{}</td>", text ? "" : "<code>", html(short_text(v, kMostCell, !text)),
                     text ? "" : "</code>");
}

std::string ValueHtml::table(const ValueView& view) {
  std::string out = "<div class=\"scroll\"><table class=\"view\">\n";
  const std::vector<ValueView> heads = table_columns(view);
  const std::vector<ValueView> rows = view_items(view, "rows");
  if (!heads.empty()) {
    out += "<thead><tr>";
    for (std::size_t i = 0; i < heads.size(); ++i) {
      const bool number = !rows.empty() && rows[0].size() > i && rows[0].at(i).is_number();
      out += fmt::format("<th{}>{}</th>", number ? " class=\"number\"" : "",
                         html(short_text(heads[i], kMostCell, false)));
    }
    out += "</tr></thead>\n";
  }
  out += "<tbody>\n";
  for (std::size_t r = 0; r < std::min(rows.size(), kMostRows) && shown_ < kMostViews; ++r) {
    out += "<tr>";
    for (const ValueView& item : rows[r].items()) out += cell(item);
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  if (rows.size() > kMostRows)
    out += fmt::format("<p class=\"note\">… {} more rows</p>\n", rows.size() - kMostRows);
  return out;
}

std::string ValueHtml::grid(const ValueView& view) {
  const std::vector<ValueView> rows = view_items(view, "rows");
  std::size_t columns = 1;
  for (const ValueView& row : rows) columns = std::max(columns, row.size());
  // The layout stands here, since notebooks have no style sheet of ours.
  std::string out = fmt::format(
      "<div class=\"grid\" style=\"display:grid;gap:0.6rem;justify-content:start;"
      "grid-template-columns:repeat({},minmax(0,max-content))\">\n",
      columns);
  for (std::size_t r = 0; r < std::min(rows.size(), kMostRows) && shown_ < kMostViews; ++r) {
    const std::vector<ValueView> row = rows[r].items();
    for (std::size_t c = 0; c < columns; ++c) {
      out += "<div>";
      if (c < row.size())
        out += row[c].kind() == Kind::String ? html(row[c].text()) : block(row[c]);
      out += "</div>\n";
    }
  }
  return out + "</div>\n";
}

std::string ValueHtml::image(const ValueView& view) {
  if (const auto missing = view.get("missing"))
    return "<p class=\"note\">(no picture: " + html(missing->print(false, 400)) + ")</p>\n";
  std::string source, alt = "picture", style;
  if (const auto given = view.get("source"); given && given->kind() == Kind::String) {
    source = given->text();
    if (const auto path = view.get("path")) alt = path->print(false, 200);
  } else {
    const auto pixels = pixels_of(view);
    source = png_address(pixels);
    const std::size_t width = pixels.empty() ? 0 : pixels[0].size();
    // Large enough to see the pixels, and no wider than a chart.
    const double scale =
        std::clamp(320.0 / static_cast<double>(std::max<std::size_t>(1, width)), 1.0, 12.0);
    style = fmt::format(" style=\"image-rendering:pixelated;width:{:.0f}px\"",
                        scale * static_cast<double>(width));
  }
  if (const auto options = view.get("options"))
    if (const auto given = options->get("alt")) alt = given->print(false, 200);
  if (!source.starts_with("data:image/")) return "<p class=\"note\">(no picture)</p>\n";
  ++pictures_;
  return fmt::format("<figure class=\"picture\"><img src=\"{}\" alt=\"{}\"{}></figure>\n",
                     html(source), html(alt), style);
}

}  // namespace chancel::page
