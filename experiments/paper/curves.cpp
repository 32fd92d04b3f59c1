// SPDX-License-Identifier: Apache-2.0
#include "paper/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace chancel::paper {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

std::string run_name(const std::string& curve, unsigned run) {
  return fmt::format("{}/{:02}", curve, run);
}

Curve read_curve(const Store& store, const std::string& curve, unsigned runs) {
  std::vector<CellResult> cells;
  for (unsigned run = 1; run <= runs; ++run) cells.push_back(store.get(run_name(curve, run)));
  Curve out;
  const auto over_runs = [&](auto&& value) {
    std::vector<double> values;
    for (const CellResult& c : cells) values.push_back(value(c));
    return values;
  };
  std::size_t points = std::numeric_limits<std::size_t>::max();
  for (const CellResult& c : cells) points = std::min(points, c.data.at("distance").size());
  for (std::size_t i = 0; i < points; ++i) {
    const auto column = [&](std::size_t j) {
      return over_runs([&](const CellResult& c) { return c.data.at("distance")[i][j]; });
    };
    out.simulations.push_back(quantile(column(0), 0.5));
    out.applications.push_back(quantile(column(1), 0.5));
    const std::vector<double> distances = column(2);
    out.low.push_back(quantile(distances, 0.25));
    out.median.push_back(quantile(distances, 0.5));
    out.high.push_back(quantile(distances, 0.75));
    out.seconds.push_back(
        quantile(over_runs([&](const CellResult& c) { return c.times.at("time")[i][0]; }), 0.5));
  }
  const auto& first = cells.front().data.at("posterior");
  for (std::size_t i = 0; i < first.size(); ++i) {
    out.posterior.push_back(
        {first[i][0], first[i][1],
         quantile(over_runs([&](const CellResult& c) { return c.data.at("posterior")[i][2]; }),
                  0.5)});
  }
  out.effective = quantile(
      over_runs([&](const CellResult& c) { return c.data.at("effective").at(0).at(1); }), 0.5);
  return out;
}

double at(const std::vector<double>& xs, const std::vector<double>& ys, double x) {
  for (std::size_t i = 0; i + 1 < xs.size(); ++i) {
    if (x < xs[i] || x > xs[i + 1]) continue;
    const double width = std::log(xs[i + 1] / xs[i]);
    const double share = width > 0 ? std::log(x / xs[i]) / width : 0;
    return std::exp(std::log(ys[i]) + share * (std::log(ys[i + 1]) - std::log(ys[i])));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Comparison compare(const std::vector<double>& x1, const std::vector<double>& y1,
                   const std::vector<double>& x2, const std::vector<double>& y2, double from) {
  constexpr int kPoints = 25;
  from = std::max({from, x1.front(), x2.front()});
  const double to = std::min(x1.back(), x2.back());
  Comparison out;
  double logs = 0;
  for (int i = 0; i < kPoints; ++i) {
    // The ends a hair inside, where rounding cannot put them outside.
    const double x = from * std::pow(to / from, (i + 1e-6) / (kPoints - 1 + 2e-6));
    const double first = at(x1, y1, x), second = at(x2, y2, x);
    if (!(first > 0) || !(second > 0)) continue;
    ++out.points;
    out.below += first < second;
    logs += std::log(second / first);
    out.last_ratio = second / first;
  }
  out.ratio = out.points > 0 ? std::exp(logs / out.points) : 1;
  return out;
}

void draw_curve(Chart& chart, const std::vector<double>& x, const Curve& curve,
                const std::string& colour, const std::string& legend, bool dots) {
  chart.band(x, curve.low, curve.high, colour);
  Chart::Style style;
  style.colour = colour;
  style.legend = legend;
  style.dots = dots;
  chart.line(x, curve.median, style);
  style.legend.clear();
  style.dots = false;
  style.width = 1;
  style.dash = "4 3";
  style.opacity = 0.8;
  chart.line(x, curve.low, style);
  chart.line(x, curve.high, style);
}

}  // namespace chancel::paper
