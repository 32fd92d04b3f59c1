// SPDX-License-Identifier: Apache-2.0
#include "page/chart_json.hpp"

#include <nlohmann/json.hpp>

namespace chancel::page {

namespace {
const char* name_of(report::Series::Shape shape) {
  switch (shape) {
    case report::Series::Shape::Points:
      return "points";
    case report::Series::Shape::Line:
      return "line";
    case report::Series::Shape::Band:
      return "band";
    case report::Series::Shape::Bins:
      return "bins";
    default:
      return "bars";
  }
}
}  // namespace

Json chart_json(const report::Chart& chart) {
  Json out;
  out["x"] = {{"range", json_numbers(std::vector{chart.x.low, chart.x.high})},
              {"title", chart.x_title}};
  out["y"] = {{"range", json_numbers(std::vector{chart.y.low, chart.y.high})},
              {"title", chart.y_title}};
  if (!chart.categories.empty()) out["categories"] = chart.categories;
  out["series"] = Json::array();
  for (const report::Series& s : chart.series) {
    Json one;
    one["shape"] = name_of(s.shape);
    one["x"] = json_numbers(s.x);
    one["y"] = json_numbers(s.y);
    if (!s.low.empty()) one["low"] = json_numbers(s.low);
    if (s.colour.empty())
      one["palette"] = s.palette;
    else
      one["colour"] = s.colour;
    one["opacity"] = s.opacity;
    if (s.fill_opacity > 0) one["fill"] = s.fill_opacity;
    if (s.shape == report::Series::Shape::Points) {
      one["symbol"] = s.symbol;
      one["radius"] = json_number(s.symbol_radius);
    }
    if (!s.label.empty()) one["label"] = s.label;
    out["series"].push_back(std::move(one));
  }
  return out;
}

}  // namespace chancel::page
