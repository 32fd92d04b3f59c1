// SPDX-License-Identifier: Apache-2.0
#include "page/chart_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "page/html_text.hpp"

namespace chancel::page {
namespace {

using report::Chart;
using report::Series;
using Shape = report::Series::Shape;

// Okabe and Ito's colours, as report.css has them, in tones that can be seen on white and on black.
constexpr const char* kPalette[] = {"#0f7fc4", "#d55e00", "#009e73", "#cc79a7",
                                    "#c99700", "#56b4e9", "#7f7f7f", "#9673c0"};
constexpr double kFont = 11;
constexpr double kCharacter = 6.2;  // mean width in that size

std::string colour(const Series& s) {
  return s.colour.empty() ? kPalette[s.palette % std::size(kPalette)] : html(s.colour);
}

std::string number(double x) {
  std::string text = fmt::format("{:.2f}", x);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {}

  std::string svg() {
    lay_out();
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" style=\"max-width:100%;height:auto\" font-family=\"system-ui, "
        "sans-serif\" font-size=\"{2}\" fill=\"currentColor\">",
        number(chart_.width), number(height_), number(kFont));
    axes();
    out_ +=
        fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" overflow=\"hidden\">",
                    number(left_), number(top_), number(right_ - left_), number(bottom_ - top_));
    for (const Series& s : chart_.series) series(s);
    out_ += "</svg>";
    legend();
    return out_ + "</svg>";
  }

 private:
  // Places inside the frame.
  double px(double x) const {
    return place((x - chart_.x.low) / chart_.x.size() * (right_ - left_));
  }
  double py(double y) const {
    return place((1 - (y - chart_.y.low) / chart_.y.size()) * (bottom_ - top_));
  }
  static double place(double p) { return std::isfinite(p) ? std::clamp(p, -1e5, 1e5) : NAN; }

  void lay_out() {
    height_ = chart_.height;
    y_ticks_ = report::ticks(chart_.y, static_cast<std::size_t>(std::max(2.0, height_ / 55)));
    y_texts_ = report::tick_texts(y_ticks_);
    double widest = 0;
    for (const std::string& text : y_texts_)
      widest = std::max(widest, static_cast<double>(text.size()) * kCharacter);
    left_ = widest + 12 + (chart_.y_title.empty() ? 0 : 16);
    right_ = chart_.width - 10;
    top_ = 8;
    double below = 20 + (chart_.x_title.empty() ? 0 : 16);
    if (!chart_.categories.empty()) {
      const double room = (right_ - left_) / static_cast<double>(chart_.categories.size());
      std::size_t longest = 0;
      for (const std::string& name : chart_.categories)
        longest = std::max(longest, utf8_length(name));
      slanted_ = static_cast<double>(longest) * kCharacter > room - 4;
      if (slanted_)
        below += 0.65 * kCharacter * static_cast<double>(std::min<std::size_t>(longest, 16));
    }
    for (const Series& s : chart_.series) labels_ = labels_ || !s.label.empty();
    if (labels_) below += 18;
    bottom_ = height_ - below;
    if (bottom_ < top_ + 40) {
      height_ += top_ + 40 - bottom_;
      bottom_ = top_ + 40;
    }
  }

  void text(double x, double y, const std::string& what, const char* anchor,
            const char* more = "") {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" opacity=\"0.75\"{}>{}</text>",
                        number(x), number(y), anchor, more, html(what));
  }

  void axes() {
    std::string lines;
    const double tick_y = bottom_ + 14;
    for (std::size_t i = 0; i < y_ticks_.size(); ++i) {
      const double y = top_ + py(y_ticks_[i]);
      lines += fmt::format("M{} {}H{}", number(left_), number(y), number(right_));
      text(left_ - 5, y + 3.5, y_texts_[i], "end");
    }
    if (chart_.categories.empty()) {
      const auto most = static_cast<std::size_t>(std::max(2.0, (right_ - left_) / 70));
      const std::vector<double> at = report::ticks(chart_.x, most);
      const std::vector<std::string> texts = report::tick_texts(at);
      for (std::size_t i = 0; i < at.size(); ++i) {
        const double x = left_ + px(at[i]);
        lines += fmt::format("M{} {}V{}", number(x), number(top_), number(bottom_));
        text(x, tick_y, texts[i], "middle");
      }
    } else {
      categories();
    }
    out_ += fmt::format(
        "<path d=\"{}\" stroke=\"currentColor\" stroke-opacity=\"0.13\" fill=\"none\"/>", lines);
    out_ += fmt::format(
        "<path d=\"M{0} {1}V{2}H{3}\" stroke=\"currentColor\" stroke-opacity=\"0.4\" "
        "fill=\"none\"/>",
        number(left_), number(top_), number(bottom_), number(right_));
    const double middle = (left_ + right_) / 2;
    if (!chart_.x_title.empty())
      text(middle, height_ - 6 - (labels_ ? 18 : 0), chart_.x_title, "middle");
    if (!chart_.y_title.empty()) {
      const double y = (top_ + bottom_) / 2;
      text(11, y, chart_.y_title, "middle",
           fmt::format(" transform=\"rotate(-90 11 {})\"", number(y)).c_str());
    }
  }

  void categories() {
    // Names that would lie on each other are left out.
    const double room = (right_ - left_) / static_cast<double>(chart_.categories.size());
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(13 / room)));
    for (std::size_t i = 0; i < chart_.categories.size(); i += step) {
      const double x = left_ + px(static_cast<double>(i)), y = bottom_ + 14;
      const std::string name = cut_text(chart_.categories[i], slanted_ ? 16 : 30);
      if (slanted_)
        text(x + 3, y - 2, name, "end",
             fmt::format(" transform=\"rotate(-40 {} {})\"", number(x + 3), number(y - 2)).c_str());
      else
        text(x, y, name, "middle");
    }
  }

  void series(const Series& s) {
    switch (s.shape) {
      case Shape::Points:
        return points(s);
      case Shape::Line:
        out_ += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.7\" "
            "stroke-linejoin=\"round\" stroke-opacity=\"{}\"/>",
            path(s.x, s.y), colour(s), number(s.opacity));
        return;
      case Shape::Band:
        return band(s);
      case Shape::Bins:
        return bins(s);
      case Shape::Bars:
        for (std::size_t i = 0; i < s.y.size(); ++i) {
          if (!std::isfinite(s.y[i])) continue;
          const double x0 = px(s.x[i] - 0.4), x1 = px(s.x[i] + 0.4), y0 = py(0), y1 = py(s.y[i]);
          out_ += fmt::format(
              "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
              "fill-opacity=\"{}\"/>",
              number(x0), number(std::min(y0, y1)), number(x1 - x0), number(std::fabs(y1 - y0)),
              colour(s), number(s.fill_opacity));
        }
    }
  }

  std::string path(const std::vector<double>& x, const std::vector<double>& y) const {
    std::string out;
    bool pen_down = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double a = px(x[i]), b = py(y[i]);
      if (!std::isfinite(a) || !std::isfinite(b)) {
        pen_down = false;
        continue;
      }
      out += (pen_down ? "L" : "M") + number(a) + " " + number(b);
      pen_down = true;
    }
    return out;
  }

  void points(const Series& s) {
    const double r = s.symbol_radius;
    std::string shapes;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const double x = px(s.x[i]), y = py(s.y[i]);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      const auto move = [&](double a, double b) {
        return fmt::format("M{} {}", number(x + a), number(y + b));
      };
      const std::string d = number(2 * r), h = number(r);
      if (s.symbol == "square") {
        shapes += move(-r, -r) + "h" + d + "v" + d + "h-" + d + "z";
      } else if (s.symbol == "diamond") {
        shapes += fmt::format("{0}l{1} {1}l-{1} {1}l-{1} -{1}z", move(0, -r), h);
      } else if (s.symbol == "cross") {
        shapes += fmt::format("{}h{}{}v{}", move(-r, 0), d, move(0, -r), d);
      } else if (s.symbol == "triangle-up") {
        shapes += fmt::format("{}l{} {}h-{}z", move(0, -r), h, d, d);
      } else if (s.symbol == "triangle-down") {
        shapes += fmt::format("{}l{} -{}h-{}z", move(0, r), h, d, d);
      } else {
        shapes += fmt::format("{0}a{1} {1} 0 1 0 {2} 0a{1} {1} 0 1 0 -{2} 0", move(-r, 0), h, d);
      }
    }
    const bool strokes = s.symbol == "cross";
    out_ += fmt::format("<path d=\"{}\" {}=\"{}\" {}-opacity=\"{}\"{}/>", shapes,
                        strokes ? "stroke" : "fill", colour(s), strokes ? "stroke" : "fill",
                        number(s.opacity), strokes ? " stroke-width=\"1.4\" fill=\"none\"" : "");
  }

  void band(const Series& s) {
    std::string forward;
    std::vector<std::string> back;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      const double x = px(s.x[i]), high = py(s.y[i]), low = py(s.low[i]);
      if (!std::isfinite(x) || !std::isfinite(high) || !std::isfinite(low)) continue;
      forward += fmt::format("{},{} ", number(x), number(high));
      back.push_back(fmt::format("{},{} ", number(x), number(low)));
    }
    for (std::size_t i = back.size(); i-- > 0;) forward += back[i];
    out_ += fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>", forward,
                        colour(s), number(s.fill_opacity));
  }

  void bins(const Series& s) {
    if (s.y.empty()) return;
    std::string outline = fmt::format("M{} {}", number(px(s.x[0])), number(py(0)));
    for (std::size_t i = 0; i < s.y.size(); ++i)
      outline += fmt::format("V{}H{}", number(py(s.y[i])), number(px(s.x[i + 1])));
    outline += fmt::format("V{}", number(py(0)));
    out_ += fmt::format(
        "<path d=\"{0}z\" fill=\"{1}\" fill-opacity=\"{2}\" stroke=\"{1}\" "
        "stroke-opacity=\"{3}\"/>",
        outline, colour(s), number(s.fill_opacity), number(s.opacity));
  }

  void legend() {
    if (!labels_) return;
    double x = left_;
    for (const Series& s : chart_.series) {
      if (s.label.empty()) continue;
      const std::string name = cut_text(s.label, 30);
      out_ += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"4\" fill=\"{}\" fill-opacity=\"{}\"/>",
          number(x), number(height_ - 10), colour(s), number(std::max(s.opacity, s.fill_opacity)));
      text(x + 16, height_ - 5, name, "start");
      x += 16 + kCharacter * static_cast<double>(utf8_length(name)) + 14;
    }
  }

  const Chart& chart_;
  std::string out_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, height_ = 0;
  bool slanted_ = false, labels_ = false;
  std::vector<double> y_ticks_;
  std::vector<std::string> y_texts_;
};

}  // namespace

std::string chart_svg(const Chart& chart) { return Drawing(chart).svg(); }

}  // namespace chancel::page
