// SPDX-License-Identifier: Apache-2.0
// A plot of a program as numbers that can be drawn: {:chancel/view :histogram ...} with its bins
// counted, ranges found and options read. Pages, notebooks and the terminal draw the same chart.
// Its size is bounded whatever the number of points.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "chancel/value.hpp"

namespace chancel::report {

struct Series {
  enum class Shape { Points, Line, Band, Bins, Bars };
  Shape shape = Shape::Points;
  // Points and lines: x and y (a line has a gap where y is NaN). A band lies between `low` and y.
  // Bins: x has the edges, one more than y has heights. Bars: x has numbers of categories.
  std::vector<double> x, y, low;
  std::string colour;  // of CSS; empty: number `palette` of the palette
  std::size_t palette = 0;
  double opacity = 1;             // of strokes and points
  double fill_opacity = 0;        // of areas
  std::string symbol = "circle";  // circle, square, diamond, cross, triangle-up, triangle-down
  double symbol_radius = 3;       // pixels
  std::string label;              // for the legend
};

struct Range {
  double low = 0, high = 1;
  double size() const { return high - low; }
};

struct Chart {
  std::vector<Series> series;
  std::vector<std::string> categories;  // of bars
  Range x, y;                           // what is shown
  std::string x_title, y_title;
  double width = 480, height = 297;  // pixels
  std::vector<std::string> notes;    // what the reader should know: points left out and the like
};

// Nothing when the value is not a plot.
std::optional<Chart> chart_of(const ValueView& value);
// What {:chancel/view KIND} says; empty for other values.
std::string view_kind(const ValueView& value);

// Round numbers within the range, at most `most`, and how they are written.
std::vector<double> ticks(Range range, std::size_t most);
std::vector<std::string> tick_texts(const std::vector<double>& ticks);

}  // namespace chancel::report
