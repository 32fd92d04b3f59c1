// SPDX-License-Identifier: Apache-2.0
// Values as lines of text: see chancel/worksheet.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "chancel/worksheet.hpp"
#include "report/chart.hpp"
#include "report/draws_view.hpp"
#include "report/short_text.hpp"
#include "report/text_chart.hpp"
#include "report/text_table.hpp"
#include "report/view_parts.hpp"

namespace chancel {
namespace {

using namespace report;
constexpr std::size_t kMostRows = 30;
constexpr std::size_t kMostCell = 32;  // characters

// Views inside a list or table are shown one below the other.
class TextViews {
 public:
  explicit TextViews(const TextStyle& style) : style_(style) {}

  std::string text(const ValueView& v) {
    if (depth_ >= kMostViewDepth || shown_ >= kMostViews) return "…\n";
    ++depth_;
    ++shown_;
    std::string out = text_of(v);
    --depth_;
    return out;
  }

 private:
  std::string text_of(const ValueView& v) {
    if (const auto chart = chart_of(v)) return text_chart(*chart, style_.columns);
    const std::string kind = view_kind(v);
    if (kind == "table") return table(v);
    if (kind == "list") return all(view_items(v, "items"));
    if (kind == "grid") {
      std::string out;
      for (const ValueView& row : view_items(v, "rows")) out += all(row.items());
      return out;
    }
    if (kind == "html") return without_tags(view_text(v)) + "\n";
    if (kind == "latex") return view_text(v) + "\n";
    if (kind == "image") {
      if (const auto missing = v.get("missing"))
        return fmt::format("(no picture: {})\n", missing->print(false));
      if (const auto path = v.get("path")) return fmt::format("(picture {})\n", path->print(false));
      return text_image(pixels_of(v), style_.columns);
    }
    if (are_draws(v)) return draws_view_text(summary_of_draws(v), style_.colour);
    if (holds_views(v)) return all(v.front(kMostParts).first);
    return short_text(v, style_.most) + "\n";
  }

  std::string all(const std::vector<ValueView>& items) {
    std::string out;
    for (std::size_t i = 0; i < std::min(items.size(), kMostParts) && shown_ < kMostViews; ++i)
      out += text(items[i]);
    if (items.size() > kMostParts) out += fmt::format("… {} more\n", items.size() - kMostParts);
    return out;
  }

  std::string table(const ValueView& v) {
    const std::vector<ValueView> rows = view_items(v, "rows");
    for (const ValueView& row : rows)
      if (holds_views(row)) return all(rows);  // pictures do not fit into cells of text
    TextTable out;
    std::vector<std::string> heads;
    for (const ValueView& name : table_columns(v))
      heads.push_back(short_text(name, kMostCell, false));
    if (!heads.empty()) out.add_row(heads);
    for (std::size_t r = 0; r < std::min(rows.size(), kMostRows); ++r) {
      std::vector<std::string> cells;
      for (const ValueView& cell : rows[r].items()) cells.push_back(cell_text(cell));
      out.add_row(std::move(cells));
    }
    std::string text = out.text(style_.colour && !heads.empty());
    if (rows.size() > kMostRows) text += fmt::format("… {} more rows\n", rows.size() - kMostRows);
    return text;
  }
  static std::string cell_text(const ValueView& v) {
    if (v.kind() == ValueView::Kind::Real) return short_number(v.number());
    return short_text(v, kMostCell, v.kind() != ValueView::Kind::String);
  }

  TextStyle style_;
  int depth_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace

std::string show_text(const ValueView& value, const TextStyle& style) {
  std::string out;
  try {
    out = TextViews(style).text(value);
  } catch (const Error&) {  // a map that says it is a view, and is not
    out = short_text(value, style.most);
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

bool is_rich(const ValueView& value) {
  return !view_kind(value).empty() || are_draws(value) || holds_views(value);
}

std::optional<std::string> latex_of(const ValueView& value) {
  if (view_kind(value) != "latex") return std::nullopt;
  return view_text(value);
}

}  // namespace chancel
