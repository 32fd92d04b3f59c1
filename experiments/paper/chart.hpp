// SPDX-License-Identifier: Apache-2.0
// A small chart as SVG: log or linear axes with units, lines with bands, dots, bars, vertical
// marks, a legend above the plot. Colours are names of a palette that the drawing carries as CSS,
// so that it can follow a dark screen. Everything is laid out here: no script, no font but the
// system's.
#pragma once
#include <string>
#include <vector>

namespace chancel::paper {

struct Axis {
  std::string label;  // with its unit
  bool log = true;
  // Left out: from the data.
  double from = 0, to = 0;
};

class Chart {
 public:
  struct Style {
    std::string colour;  // "pmcmc" "rdb" "truth" "exact" "mark" "s1" to "s7", or "#rrggbb"
    double width = 2;
    std::string dash;  // "" solid, "5 4"
    double opacity = 1;
    std::string legend;  // "" = none
    bool dots = false;
  };
  Chart(std::string title, Axis x, Axis y);
  void line(std::vector<double> x, std::vector<double> y, Style style);
  // The area between two curves.
  void band(std::vector<double> x, std::vector<double> low, std::vector<double> high,
            std::string colour);
  void bars(std::vector<double> x, std::vector<double> y, double width, Style style);
  void vertical(double x, Style style);
  std::string svg() const;
  static std::string palette_css();  // for pages that hold several charts
  const std::string& title() const { return title_; }

 private:
  enum class Kind { Line, Band, Bars, Vertical };
  struct Item {
    Kind kind;
    std::vector<double> x, y, high;
    double width = 0;
    Style style;
  };
  std::string title_;
  Axis x_, y_;
  std::vector<Item> items_;
};

}  // namespace chancel::paper
