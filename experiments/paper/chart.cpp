// SPDX-License-Identifier: Apache-2.0
#include "paper/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paper/html.hpp"

namespace chancel::paper {
namespace {

constexpr double kWidth = 420, kLeft = 62, kRight = 14, kPlotHeight = 220, kBottom = 46;
constexpr double kTitleHeight = 24, kLegendLine = 16, kLetter = 6.1;  // of 11 px text, on average

std::string colour_of(const std::string& name) {
  return name[0] == '#' ? name : "var(--" + name + ")";
}

// One axis: numbers to pixels, and where the ticks are.
class Scale {
 public:
  Scale(const Axis& axis, double low, double high, double start, double end)
      : log_(axis.log), start_(start), end_(end) {
    if (axis.from < axis.to) low = axis.from, high = axis.to;
    if (!(low < high)) high = log_ ? low * 10 : low + 1;
    if (log_ && axis.from >= axis.to) {
      // A little air, but no whole decades of it.
      low = std::pow(10, std::floor(std::log10(low) * 4 + 1e-9) / 4);
      high = std::pow(10, std::ceil(std::log10(high) * 4 - 1e-9) / 4);
    }
    low_ = map(low);
    high_ = map(high);
  }
  double at(double v) const {
    const double share = (map(v) - low_) / (high_ - low_);
    return start_ + std::clamp(share, -0.02, 1.02) * (end_ - start_);
  }
  struct Tick {
    double value;
    std::string label;
  };
  std::vector<Tick> ticks() const {
    std::vector<Tick> out;
    if (log_) {
      const int first = static_cast<int>(std::ceil(low_ - 1e-9));
      const int last = static_cast<int>(std::floor(high_ + 1e-9));
      const int step = std::max(1, (last - first + 5) / 6);
      for (int e = first; e <= last; ++e)
        out.push_back({std::pow(10.0, e), (e - first) % step == 0 ? power(e) : ""});
      if (last - first < 1) {  // less than a decade: ticks at 2 and 5 too
        out.clear();
        for (int e = first - 1; e <= last + 1; ++e)
          for (const int d : {1, 2, 5}) {
            const double v = d * std::pow(10.0, e);
            if (map(v) >= low_ - 1e-9 && map(v) <= high_ + 1e-9)
              out.push_back({v, fmt::format("{:g}", v)});
          }
      }
      return out;
    }
    const double raw = (high_ - low_) / 8, base = std::pow(10, std::floor(std::log10(raw)));
    const double step = raw / base > 5   ? 10 * base
                        : raw / base > 2 ? 5 * base
                        : raw / base > 1 ? 2 * base
                                         : base;
    for (double v = std::ceil(low_ / step - 1e-9) * step; v <= high_ + 1e-9 * step; v += step)
      out.push_back({v, fmt::format("{:g}", std::fabs(v) < 1e-9 * step ? 0.0 : v)});
    return out;
  }
  bool log() const { return log_; }

 private:
  static std::string power(int e) {
    if (e >= -2 && e <= 3) return fmt::format("{:g}", std::pow(10.0, e));
    return fmt::format("10<tspan dy=\"-5\" font-size=\"8\">{}{}</tspan>", e < 0 ? "−" : "",
                       std::abs(e));
  }
  double map(double v) const { return log_ ? std::log10(std::max(v, 1e-300)) : v; }
  bool log_;
  double start_, end_, low_ = 0, high_ = 1;
};

}  // namespace

Chart::Chart(std::string title, Axis x, Axis y)
    : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

void Chart::line(std::vector<double> x, std::vector<double> y, Style style) {
  items_.push_back({Kind::Line, std::move(x), std::move(y), {}, 0, std::move(style)});
}
void Chart::band(std::vector<double> x, std::vector<double> low, std::vector<double> high,
                 std::string colour) {
  Style style;
  style.colour = std::move(colour);
  items_.push_back(
      {Kind::Band, std::move(x), std::move(low), std::move(high), 0, std::move(style)});
}
void Chart::bars(std::vector<double> x, std::vector<double> y, double width, Style style) {
  items_.push_back({Kind::Bars, std::move(x), std::move(y), {}, width, std::move(style)});
}
void Chart::vertical(double x, Style style) {
  items_.push_back({Kind::Vertical, {x}, {}, {}, 0, std::move(style)});
}

std::string Chart::palette_css() {
  // Blue and orange: told apart by eyes that do not see red or green, and in grey. s1 to s7 are
  // shades of blue from dark to light.
  constexpr const char* kLight =
      "--ink:#1c1c1c;--soft:#5c5c5c;--grid:#dddddd;--sheet:#ffffff;--pmcmc:#0b3c8c;--rdb:#f5a65b;"
      "--truth:#3a3a3a;--exact:#5c5c5c;--mark:#c0392b;--s1:#08306b;--s2:#08519c;--s3:#2171b5;"
      "--s4:#4292c6;--s5:#5aa5d8;--s6:#85bcdc;--s7:#a9cfe6";
  constexpr const char* kDark =
      "--ink:#ececec;--soft:#b0b0b0;--grid:#3a3d42;--sheet:#17191c;--pmcmc:#6f9dff;--rdb:#f5a65b;"
      "--truth:#e4e4e4;--exact:#b0b0b0;--mark:#ff7b6b;--s1:#2f62b5;--s2:#3f78cc;--s3:#5590dc;"
      "--s4:#72a8e6;--s5:#94bfee;--s6:#b7d5f4;--s7:#dceafa";
  return fmt::format(
      ".chart{{{0}}}@media (prefers-color-scheme:dark){{.chart{{{1}}}}}@media "
      "print{{.chart{{{0}}}}}",
      kLight, kDark);
}

std::string Chart::svg() const {
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  const auto see = [](double v, bool log, double& low, double& high) {
    if (!std::isfinite(v) || (log && v <= 0)) return;
    low = std::min(low, v);
    high = std::max(high, v);
  };
  for (const Item& i : items_) {
    for (const double v : i.x) see(v, x_.log, x_low, x_high);
    for (const double v : i.y) see(v, y_.log, y_low, y_high);
    for (const double v : i.high) see(v, y_.log, y_low, y_high);
    if (i.kind == Kind::Bars && !y_.log) y_low = std::min(y_low, 0.0);
  }
  if (!(x_low <= x_high)) x_low = 1, x_high = 10;
  if (!(y_low <= y_high)) y_low = 1, y_high = 10;

  // The legend: keys in rows that fit the width.
  std::string legend;
  double key_x = kLeft, key_y = kTitleHeight + 10;
  for (const Item& i : items_) {
    const Style& s = i.style;
    if (s.legend.empty()) continue;
    const double need = 40 + kLetter * static_cast<double>(s.legend.size());
    if (key_x > kLeft && key_x + need > kWidth - 4) key_x = kLeft, key_y += kLegendLine;
    if (i.kind == Kind::Line && s.width == 0)
      legend += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", key_x + 10,
                            key_y - 4, colour_of(s.colour));
    else if (i.kind == Kind::Bars)
      legend +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"9\" fill=\"{}\"/>",
                      key_x + 3, key_y - 8, colour_of(s.colour));
    else
      legend += fmt::format(
          "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
          "stroke-width=\"{:g}\"{}/>",
          key_x, key_x + 20, key_y - 4, key_y - 4, colour_of(s.colour), std::max(1.5, s.width),
          s.dash.empty() ? "" : " stroke-dasharray=\"" + s.dash + "\"");
    legend += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"t\">{}</text>", key_x + 25,
                          key_y, html_text(s.legend));
    key_x += need;
  }
  const double top = legend.empty() ? kTitleHeight + 6 : key_y + 10;
  const double bottom = top + kPlotHeight, height = bottom + kBottom;
  const Scale x(x_, x_low, x_high, kLeft, kWidth - kRight);
  const Scale y(y_, y_low, y_high, bottom, top);

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\" "
      "aria-label=\"{}\"><style>{} .chart text{{font:11px system-ui,sans-serif;fill:var(--ink)}} "
      ".chart "
      ".h{{font-weight:600;font-size:13px}} .chart .k{{fill:var(--soft)}}</style>"
      "<rect width=\"100%\" height=\"100%\" fill=\"var(--sheet)\"/>",
      kWidth, height, html_text(title_), palette_css());
  out += fmt::format("<text x=\"{:.0f}\" y=\"16\" class=\"h\">{}</text>{}", kLeft,
                     html_text(title_), legend);
  for (const Scale::Tick& t : x.ticks()) {
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
        "stroke=\"var(--grid)\"/>",
        x.at(t.value), top, bottom);
    out +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" class=\"k\">{}</text>",
                    x.at(t.value), bottom + 16, t.label);
  }
  for (const Scale::Tick& t : y.ticks()) {
    out += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" "
        "stroke=\"var(--grid)\"/>",
        kLeft, kWidth - kRight, y.at(t.value));
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" class=\"k\">{}</text>",
                       kLeft - 6, y.at(t.value) + 4, t.label);
  }
  out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                     (kLeft + kWidth - kRight) / 2, bottom + 36, html_text(x_.label));
  out += fmt::format(
      "<text transform=\"translate(13,{:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
      (top + bottom) / 2, html_text(y_.label));

  const auto drawn = [&](double vx, double vy) {
    return std::isfinite(vx) && std::isfinite(vy) && !(x_.log && vx <= 0) && !(y_.log && vy <= 0);
  };
  for (const Item& i : items_) {
    const Style& s = i.style;
    const std::string colour = colour_of(s.colour);
    if (i.kind == Kind::Vertical) {
      out += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
          "stroke-width=\"{4:g}\"{5}/>",
          x.at(i.x[0]), top, bottom, colour, s.width,
          s.dash.empty() ? "" : " stroke-dasharray=\"" + s.dash + "\"");
    } else if (i.kind == Kind::Band) {
      std::string path;
      for (std::size_t k = 0; k < i.x.size(); ++k)
        if (drawn(i.x[k], i.high[k]))
          path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(i.x[k]),
                              y.at(i.high[k]));
      for (std::size_t k = i.x.size(); k-- > 0;)
        if (drawn(i.x[k], i.y[k]))
          path += fmt::format("L{:.1f} {:.1f}", x.at(i.x[k]), y.at(i.y[k]));
      out += fmt::format("<path d=\"{}Z\" fill=\"{}\" opacity=\"0.22\"/>", path, colour);
    } else if (i.kind == Kind::Bars) {
      for (std::size_t k = 0; k < i.x.size(); ++k) {
        const double left = x.at(i.x[k] - i.width / 2), right = x.at(i.x[k] + i.width / 2),
                     head = y.at(i.y[k]);
        out += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
            "opacity=\"{:g}\"/>",
            left, head, right - left, std::max(0.0, bottom - head), colour, s.opacity);
      }
    } else {
      std::string path, dots;
      for (std::size_t k = 0; k < i.x.size(); ++k) {
        if (!drawn(i.x[k], i.y[k])) continue;
        path +=
            fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(i.x[k]), y.at(i.y[k]));
        if (s.dots)
          dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" fill=\"{}\"/>",
                              x.at(i.x[k]), y.at(i.y[k]), colour);
      }
      if (s.width > 0)
        out += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
            "stroke-linejoin=\"round\" opacity=\"{:g}\"{}/>",
            path, colour, s.width, s.opacity,
            s.dash.empty() ? "" : " stroke-dasharray=\"" + s.dash + "\"");
      out += dots;
    }
  }
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" "
      "stroke=\"var(--soft)\"/></svg>",
      kLeft, top, kWidth - kLeft - kRight, kPlotHeight);
  return out;
}

}  // namespace chancel::paper
