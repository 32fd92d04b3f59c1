// SPDX-License-Identifier: Apache-2.0
#include "report/text_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "report/text_table.hpp"

namespace chancel::report {
namespace {

constexpr std::size_t kMostColumns = 64, kLeastColumns = 16, kRows = 12;
constexpr std::size_t kMostTextBars = 24;
constexpr std::size_t kFewPoints = 80;

// A grid of braille characters.
class Dots {
 public:
  Dots(std::size_t columns, std::size_t rows)
      : columns_(columns), rows_(rows), cells_(columns * rows, 0) {}
  std::size_t width() const { return 2 * columns_; }
  std::size_t height() const { return 4 * rows_; }
  // From the lower left corner; what is outside is not drawn.
  void set(std::ptrdiff_t x, std::ptrdiff_t y) {
    if (x < 0 || y < 0 || x >= static_cast<std::ptrdiff_t>(width()) ||
        y >= static_cast<std::ptrdiff_t>(height()))
      return;
    constexpr unsigned char kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const auto column = static_cast<std::size_t>(x);
    const std::size_t row = height() - 1 - static_cast<std::size_t>(y);
    cells_[row / 4 * columns_ + column / 2] |= kBits[row % 4][column % 2];
  }
  void line(double x0, double y0, double x1, double y1) {
    const double steps = std::min(std::max({std::fabs(x1 - x0), std::fabs(y1 - y0), 1.0}), 1e4);
    for (double k = 0; k <= steps; ++k)
      set(std::lround(x0 + (x1 - x0) * k / steps), std::lround(y0 + (y1 - y0) * k / steps));
  }
  std::string row(std::size_t r) const {
    constexpr std::uint32_t kBraille = 0x2800;
    std::string out;
    for (std::size_t c = 0; c < columns_; ++c) {
      const unsigned char bits = cells_[r * columns_ + c];
      append_utf8(out, bits ? kBraille + bits : ' ');
    }
    return out;
  }

 private:
  std::size_t columns_, rows_;
  std::vector<unsigned char> cells_;
};

void draw(Dots& dots, const Series& s, const Chart& chart, bool alone) {
  const double width = static_cast<double>(dots.width() - 1);
  const double height = static_cast<double>(dots.height() - 1);
  const auto px = [&](double x) { return (x - chart.x.low) / chart.x.size() * width; };
  const auto py = [&](double y) { return (y - chart.y.low) / chart.y.size() * height; };
  const auto seen = [](double x, double y) { return std::fabs(x) < 1e6 && std::fabs(y) < 1e6; };
  switch (s.shape) {
    case Series::Shape::Points:
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        const double x = px(s.x[i]), y = py(s.y[i]);
        if (!seen(x, y)) continue;
        dots.set(std::lround(x), std::lround(y));
        if (s.x.size() > kFewPoints) continue;  // few points are larger
        dots.set(std::lround(x) + 1, std::lround(y));
        dots.set(std::lround(x), std::lround(y) + 1);
        dots.set(std::lround(x) + 1, std::lround(y) + 1);
      }
      break;
    case Series::Shape::Line:
      for (std::size_t i = 1; i < s.x.size(); ++i) {
        const double x0 = px(s.x[i - 1]), y0 = py(s.y[i - 1]), x1 = px(s.x[i]), y1 = py(s.y[i]);
        if (seen(x0, y0) && seen(x1, y1)) dots.line(x0, y0, x1, y1);
      }
      break;
    case Series::Shape::Band:  // every other dot of every other column
      for (std::size_t i = 1; i < s.x.size(); ++i) {
        const double x0 = px(s.x[i - 1]), x1 = px(s.x[i]);
        for (double x = std::ceil(x0); x <= x1 && x1 - x0 < 1e6; ++x) {
          const double share = x1 > x0 ? (x - x0) / (x1 - x0) : 0;
          const double low = py(s.low[i - 1] + share * (s.low[i] - s.low[i - 1]));
          const double high = py(s.y[i - 1] + share * (s.y[i] - s.y[i - 1]));
          if (!seen(x, low) || !seen(x, high)) continue;
          for (auto y = std::lround(low); y <= std::lround(high); ++y)
            if ((static_cast<std::ptrdiff_t>(x) + y) % 4 == 0 && static_cast<long>(x) % 2 == 0)
              dots.set(std::lround(x), y);
        }
      }
      break;
    case Series::Shape::Bins:
    case Series::Shape::Bars: {
      double before = py(0);
      for (std::size_t i = 0; i < s.y.size(); ++i) {
        const bool bins = s.shape == Series::Shape::Bins;
        const double from = px(bins ? s.x[i] : s.x[i] - 0.4);
        const double to = px(bins ? s.x[i + 1] : s.x[i] + 0.4);
        const double base = py(0), top = py(s.y[i]);
        if (!seen(base, top) || !seen(from, to)) continue;
        if (!alone) {  // under other series only the outline
          dots.line(from, bins ? before : base, from, top);
          dots.line(from, top, to, top);
          if (!bins || i + 1 == s.y.size()) dots.line(to, top, to, base);
          before = top;
          continue;
        }
        const auto low = std::lround(std::min(base, top)), high = std::lround(std::max(base, top));
        const auto left = std::lround(from);
        for (auto x = left; x < std::max(std::lround(to), left + 1); ++x)
          for (auto y = low; y < high; ++y) dots.set(x, y);
      }
      break;
    }
  }
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t length = utf8_length(text);
  return (length < width ? std::string(width - length, ' ') : "") + text;
}

std::string bars_text(const Chart& chart, std::size_t columns) {
  constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const Series& s = chart.series.front();
  const std::size_t shown = std::min(s.y.size(), kMostTextBars);
  std::size_t names = 0, numbers = 0;
  double most = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    names = std::max(names, utf8_length(chart.categories[static_cast<std::size_t>(s.x[i])]));
    numbers = std::max(numbers, short_number(s.y[i]).size());
    if (std::isfinite(s.y[i])) most = std::max(most, s.y[i]);
  }
  names = std::min<std::size_t>(names, 24);
  const std::size_t room = columns > names + numbers + 12 ? columns - names - numbers - 4 : 8;
  const double width = static_cast<double>(std::min<std::size_t>(room, 48));
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const double y = std::isfinite(s.y[i]) ? std::max(0.0, s.y[i]) : 0;
    const auto eighths = static_cast<std::size_t>(most > 0 ? std::lround(8 * width * y / most) : 0);
    std::string bar;
    for (std::size_t k = 0; k < eighths / 8; ++k) bar += "█";
    bar += kEighths[eighths % 8];
    out += fmt::format(
        "{} {} {}\n",
        padded(cut_text(chart.categories[static_cast<std::size_t>(s.x[i])], names), names), bar,
        short_number(s.y[i]));
  }
  if (shown < s.y.size()) out += fmt::format("… {} more bars\n", s.y.size() - shown);
  return out;
}

std::string dots_text(const Chart& chart, std::size_t columns) {
  const std::vector<double> y_ticks = ticks(chart.y, 6);
  const std::vector<std::string> y_texts = tick_texts(y_ticks);
  std::size_t margin = 0;
  for (const std::string& text : y_texts) margin = std::max(margin, text.size());
  const std::size_t width =
      std::clamp(columns > margin + 3 ? columns - margin - 3 : 0, kLeastColumns, kMostColumns);
  Dots dots(width, kRows);
  for (const Series& s : chart.series) draw(dots, s, chart, chart.series.size() == 1);
  std::vector<std::string> left(kRows);
  for (std::size_t i = 0; i < y_ticks.size(); ++i) {
    const double share = (y_ticks[i] - chart.y.low) / chart.y.size();
    const auto row = std::clamp<std::ptrdiff_t>(
        std::lround((1 - share) * static_cast<double>(4 * kRows - 1)) / 4, 0, kRows - 1);
    left[static_cast<std::size_t>(row)] = y_texts[i];
  }
  std::string out;
  if (!chart.y_title.empty()) out += padded("", margin) + "  " + chart.y_title + "\n";
  for (std::size_t r = 0; r < kRows; ++r) {
    std::string line = padded(left[r], margin) + (left[r].empty() ? " │" : " ┤") + dots.row(r);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  const std::vector<double> x_ticks =
      chart.categories.empty() ? ticks(chart.x, width / 10) : std::vector<double>{};
  const std::vector<std::string> x_texts = tick_texts(x_ticks);
  std::vector<std::size_t> places;
  std::string axis, labels;
  for (const double t : x_ticks)
    places.push_back(static_cast<std::size_t>(
        std::lround((t - chart.x.low) / chart.x.size() * static_cast<double>(width - 1))));
  for (std::size_t c = 0; c < width; ++c)
    axis += std::find(places.begin(), places.end(), c) != places.end() ? "┬" : "─";
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t half = x_texts[i].size() / 2;
    const std::size_t at = places[i] > half ? places[i] - half : 0;
    if (i > 0 && at < labels.size() + 1) continue;
    labels += std::string(at - labels.size(), ' ') + x_texts[i];
  }
  out += padded("", margin) + " └" + axis + "\n";
  if (!labels.empty()) out += padded("", margin) + "  " + labels + "\n";
  if (!chart.x_title.empty()) {
    const std::size_t length = utf8_length(chart.x_title);
    out +=
        padded("", margin + 2 + (length < width ? (width - length) / 2 : 0)) + chart.x_title + "\n";
  }
  return out;
}

}  // namespace

std::string text_chart(const Chart& chart, std::size_t columns) {
  const bool bars = chart.series.size() == 1 && chart.series[0].shape == Series::Shape::Bars;
  const bool negative = bars && std::any_of(chart.series[0].y.begin(), chart.series[0].y.end(),
                                            [](double y) { return y < 0; });
  const bool nothing = std::all_of(chart.series.begin(), chart.series.end(),
                                   [](const Series& s) { return s.y.empty(); });
  std::string out = nothing             ? "(nothing to draw)\n"
                    : bars && !negative ? bars_text(chart, columns)
                                        : dots_text(chart, columns);
  for (const std::string& note : chart.notes) out += "(" + note + ")\n";
  return out;
}

std::string text_image(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  constexpr const char* kShades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  std::string out;
  const std::size_t most_columns =
      std::max<std::size_t>(1, std::min<std::size_t>(columns, 100) / 2);
  std::size_t step = 1;
  if (!rows.empty())
    step = std::max({std::size_t{1}, (rows[0].size() + most_columns - 1) / most_columns,
                     (rows.size() + 39) / 40});
  for (std::size_t r = 0; r < rows.size(); r += step) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); c += step) {
      const double level = std::isfinite(rows[r][c]) ? std::clamp(rows[r][c], 0.0, 1.0) : 0;
      line += kShades[std::lround(4 * level)];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace chancel::report
