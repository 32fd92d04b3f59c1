// SPDX-License-Identifier: Apache-2.0
#include "report/view_parts.hpp"

#include <algorithm>

#include "report/chart.hpp"

namespace chancel::report {

namespace {
using Kind = ValueView::Kind;
bool is_sequence(const ValueView& v) { return v.kind() == Kind::Vector || v.kind() == Kind::List; }
bool holds(const ValueView& value, int depth) {
  if (!is_sequence(value)) return false;
  for (const ValueView& item : value.front(kMostParts).first)
    if (!view_kind(item).empty() || (depth > 0 && holds(item, depth - 1))) return true;
  return false;
}
}  // namespace

std::vector<ValueView> view_items(const ValueView& view, std::string_view key) {
  constexpr std::size_t kAll = 10'000;
  const auto found = view.get(key);
  if (!found || !is_sequence(*found)) return {};
  std::vector<ValueView> items = found->front(kAll).first;
  if (key == "rows") std::erase_if(items, [](const ValueView& row) { return !is_sequence(row); });
  return items;
}

std::string view_text(const ValueView& view) {
  const auto text = view.get("text");
  return text && text->kind() == Kind::String ? text->text() : "";
}

std::vector<ValueView> table_columns(const ValueView& table) {
  const auto options = table.get("options");
  if (!options) return {};
  const auto columns = options->get("columns");
  return columns && is_sequence(*columns) ? columns->front(1000).first : std::vector<ValueView>{};
}

std::vector<std::vector<double>> pixels_of(const ValueView& image) {
  std::vector<std::vector<double>> rows;
  for (const ValueView& row : view_items(image, "rows")) {
    std::vector<double>& levels = rows.emplace_back();
    for (const ValueView& level : row.items())
      levels.push_back(level.is_number() ? level.number() : 0);
  }
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.size());
  for (auto& row : rows) row.resize(width, 0);
  return rows;
}

bool holds_views(const ValueView& value) { return holds(value, 1); }

std::string without_tags(std::string_view html) {
  std::string out;
  bool inside = false;
  for (const char c : html) {
    if (c == '<') inside = true;
    if (!inside) out += c;
    if (c == '>') inside = false;
  }
  return out;
}

}  // namespace chancel::report
