// SPDX-License-Identifier: Apache-2.0
// Plots to charts: see chart.hpp. Defaults are those of Gorilla where they do not stand in the way
// of reading: size, proportions, bins by number of data when nothing better is known.
#include "report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "base/edit_distance.hpp"
#include "report/unit.hpp"

namespace chancel::report {
namespace {

constexpr double kUsualWidth = 480;
constexpr double kGoldenRatio = 1.618;
constexpr std::size_t kMostPoints = 4000;      // of a series of points
constexpr std::size_t kMostLinePoints = 1500;  // of a line
constexpr std::size_t kMostBins = 80;          // unless the program gives a number
constexpr std::size_t kMostBars = 200;
constexpr std::size_t kMostSeries = 500;

bool is_number(double x) { return std::isfinite(x); }

constexpr const char* kOptions[] = {"aspect-ratio", "bins",       "color",     "fill-opacity",
                                    "joined",       "label",      "normalize", "opacity",
                                    "plot-points",  "plot-range", "plot-size", "symbol",
                                    "symbol-size",  "x-title",    "y-title"};

// The options of one plot.
class Options {
 public:
  explicit Options(const ValueView& view) : map_(view.get("options")) {}
  std::optional<ValueView> get(std::string_view name) const {
    if (!map_) return std::nullopt;
    std::optional<ValueView> found = map_->get(name);
    if (found && found->kind() == ValueView::Kind::Nil) found.reset();
    return found;
  }
  double number(std::string_view name, double usual) const {
    const auto found = get(name);
    return found && found->is_number() ? found->number() : usual;
  }
  std::string text(std::string_view name) const {
    const auto found = get(name);
    if (!found) return {};
    return found->kind() == ValueView::Kind::Keyword ? found->text() : found->print(false, 200);
  }
  bool flag(std::string_view name) const {
    const auto found = get(name);
    return found && found->boolean();
  }
  // Names that no plot has.
  void note_unknown(std::vector<std::string>& notes) const {
    if (!map_ || map_->kind() != ValueView::Kind::Map) return;
    for (const auto& [key, value] : map_->entries()) {
      const std::string name = key.kind() == ValueView::Kind::Keyword ? key.text() : key.print();
      std::string near;
      bool known = false;
      for (const char* option : kOptions) {
        known = known || name == option;
        if (near.empty() && edit_distance(name, option, 2) <= 2) near = option;
      }
      if (!known)
        notes.push_back(fmt::format("the option :{} is not known{}", name,
                                    near.empty() ? "" : fmt::format("; did you mean :{}?", near)));
    }
  }

 private:
  std::optional<ValueView> map_;
};

// Colours of programs go into pages: what is not written like a colour is passed over.
std::string colour_of(const Options& options) {
  const std::string text = options.text("color");
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '#' || c == '(' || c == ')' || c == ',' || c == '.' ||
           c == '%' || c == ' ';
  });
  return plain && text.size() <= 40 ? text : "";
}

// Numbers of the sequence `name` of the view; each an item, or part `part` of one.
std::vector<double> column(const std::vector<ValueView>& items, std::size_t part,
                           const Unit& unit = {}) {
  std::vector<double> out;
  out.reserve(items.size());
  for (const ValueView& item : items) {
    double x = std::numeric_limits<double>::quiet_NaN();
    if (item.kind() == ValueView::Kind::Vector) {
      if (part < item.size() && item.at(part).is_number()) x = item.at(part).number();
    } else if (item.is_number()) {
      x = item.number();
    }
    out.push_back(unit.scaled(x));
  }
  return out;
}

std::vector<ValueView> items_of(const ValueView& view, std::string_view name) {
  const auto found = view.get(name);
  if (!found ||
      (found->kind() != ValueView::Kind::Vector && found->kind() != ValueView::Kind::List))
    return {};
  return found->front(std::numeric_limits<std::size_t>::max()).first;
}

// --- histograms ---

double quantile_of_sorted(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Edges of the bins of sorted finite numbers.
std::vector<double> bin_edges(const std::vector<double>& sorted, std::optional<Range> range,
                              double asked) {
  double low = range ? range->low : sorted.front();
  double high = range ? range->high : sorted.back();
  const auto n = static_cast<double>(sorted.size());
  const bool whole = std::all_of(sorted.begin(), sorted.end(),
                                 [](double x) { return x == std::floor(x) && std::fabs(x) < 1e9; });
  double bins = asked;
  if (!(bins >= 1) && whole && high - low <= static_cast<double>(kMostBins) - 1) {
    low = std::floor(low) - 0.5;  // a bin for each integer
    high = std::ceil(high) + 0.5;
    bins = high - low;
  }
  if (!(high > low)) {
    low -= 0.5;
    high += 0.5;
  }
  if (!(bins >= 1)) {
    // Sturges' number, or more where the width of Freedman and Diaconis asks for it.
    bins = std::ceil(std::log2(n)) + 1;
    const double quartiles = quantile_of_sorted(sorted, 0.75) - quantile_of_sorted(sorted, 0.25);
    if (quartiles > 0) bins = std::max(bins, (high - low) / (2 * quartiles / std::cbrt(n)));
    bins = std::min(bins, static_cast<double>(kMostBins));
  }
  const auto count = static_cast<std::size_t>(std::clamp(bins, 1.0, 1000.0));
  std::vector<double> edges;
  for (std::size_t i = 0; i <= count; ++i)
    edges.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(count));
  edges.back() = high;
  return edges;
}

// What the numbers of both axes are given in.
struct Units {
  Unit x, y;
};

std::optional<Range> given_range(const Options& options, std::size_t axis, const Units& units) {
  const auto both = options.get("plot-range");
  if (!both || both->kind() != ValueView::Kind::Vector || both->size() != 2) return std::nullopt;
  const ValueView one = both->at(axis);
  if (one.kind() != ValueView::Kind::Vector || one.size() != 2 || !one.at(0).is_number() ||
      !one.at(1).is_number())
    return std::nullopt;
  const Unit& unit = axis == 0 ? units.x : units.y;
  const Range range{unit.scaled(one.at(0).number()), unit.scaled(one.at(1).number())};
  if (!is_number(range.low) || !is_number(range.high) || range.low == range.high)
    return std::nullopt;
  return Range{std::min(range.low, range.high), std::max(range.low, range.high)};
}

Series histogram_series(const ValueView& view, const Options& options, const Units& units,
                        std::vector<std::string>& notes) {
  Series s;
  s.shape = Series::Shape::Bins;
  s.fill_opacity = options.number("fill-opacity", 0.4);
  std::vector<double> data = column(items_of(view, "data"), 0, units.x);
  const auto all = data.size();
  std::erase_if(data, [](double x) { return !is_number(x); });
  if (data.size() < all)
    notes.push_back(fmt::format("{} of {} numbers are not finite", all - data.size(), all));
  if (data.empty()) return s;
  std::sort(data.begin(), data.end());
  s.x = bin_edges(data, given_range(options, 0, units), options.number("bins", 0));
  s.y.assign(s.x.size() - 1, 0);
  const double low = s.x.front(), width = (s.x.back() - low) / static_cast<double>(s.y.size());
  for (const double x : data) {
    if (x < low || x > s.x.back()) continue;
    const auto bin = static_cast<std::size_t>((x - low) / width);
    ++s.y[std::min(bin, s.y.size() - 1)];
  }
  const std::string how = options.text("normalize");
  double scale = 1;
  if (how == "probability") scale = 1 / static_cast<double>(data.size());
  if (how == "probability-density") scale = 1 / (static_cast<double>(data.size()) * width);
  for (double& y : s.y) y *= scale;
  return s;
}

// --- points and lines ---

// At most `most` points with the outline of all: the smallest and the largest of each stretch.
void thin_line(Series& s, std::size_t most) {
  const std::size_t n = s.x.size();
  if (n <= most || !std::is_sorted(s.x.begin(), s.x.end())) return;
  const std::size_t stretches = most / 2;
  Series out = s;
  out.x.clear();
  out.y.clear();
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t from = n * k / stretches, to = n * (k + 1) / stretches;
    const auto [least, largest] =
        std::minmax_element(s.y.begin() + static_cast<std::ptrdiff_t>(from),
                            s.y.begin() + static_cast<std::ptrdiff_t>(to));
    auto first = static_cast<std::size_t>(least - s.y.begin());
    auto second = static_cast<std::size_t>(largest - s.y.begin());
    if (first > second) std::swap(first, second);
    for (const std::size_t i : {first, second}) {
      out.x.push_back(s.x[i]);
      out.y.push_back(s.y[i]);
      if (first == second) break;
    }
  }
  s = std::move(out);
}

void thin_points(Series& s, std::size_t most, std::vector<std::string>& notes) {
  const std::size_t n = s.x.size();
  if (n <= most) return;
  const std::size_t step = (n + most - 1) / most;
  Series out = s;
  for (auto* part : {&out.x, &out.y, &out.low}) part->clear();
  for (std::size_t i = 0; i < n; i += step) {
    out.x.push_back(s.x[i]);
    out.y.push_back(s.y[i]);
    if (!s.low.empty()) out.low.push_back(s.low[i]);
  }
  notes.push_back(fmt::format("one of {} points is drawn", step));
  s = std::move(out);
}

Series points_series(const ValueView& view, const std::string& kind, const Options& options,
                     const Units& units, std::vector<std::string>& notes) {
  Series s;
  const std::vector<ValueView> items = items_of(view, "data");
  s.x = column(items, 0, units.x);
  s.y = column(items, kind == "band-plot" ? 2 : 1, units.y);
  if (kind == "band-plot") {
    s.shape = Series::Shape::Band;
    s.low = column(items, 1, units.y);
    s.fill_opacity = options.number("fill-opacity", options.number("opacity", 0.25));
    s.opacity = 0;
    thin_points(s, kMostPoints, notes);
    return s;
  }
  const bool line = kind == "plot" || options.flag("joined");
  s.shape = line ? Series::Shape::Line : Series::Shape::Points;
  s.opacity = options.number("opacity", line ? 1 : 0.75);
  if (line) {
    thin_line(s, kMostLinePoints);
    return s;
  }
  s.symbol = options.text("symbol");
  if (s.symbol.empty()) s.symbol = "circle";
  // Gorilla gives the area of a symbol (by default 70 in Gorilla).
  const double usual = s.x.size() > 400 ? 20 : s.x.size() > 100 ? 35 : 50;
  s.symbol_radius = std::clamp(std::sqrt(options.number("symbol-size", usual) / M_PI), 0.5, 40.0);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (!is_number(s.x[i]) || !is_number(s.y[i])) continue;
    s.x[kept] = s.x[i];
    s.y[kept++] = s.y[i];
  }
  if (kept < s.x.size())
    notes.push_back(fmt::format("{} of {} points are not finite", s.x.size() - kept, s.x.size()));
  s.x.resize(kept);
  s.y.resize(kept);
  thin_points(s, kMostPoints, notes);
  return s;
}

std::string category_text(const ValueView& v) {
  constexpr std::size_t kMost = 60;
  std::string text = v.print(false, kMost);
  return text;
}

Series bars_series(const ValueView& view, const Options& options, const Units& units,
                   Chart& chart) {
  Series s;
  s.shape = Series::Shape::Bars;
  s.fill_opacity = options.number("opacity", 0.85);
  std::vector<ValueView> items = items_of(view, "data");
  std::erase_if(items, [](const ValueView& item) {
    return item.kind() != ValueView::Kind::Vector || item.size() != 2;
  });
  if (items.size() > kMostBars) {
    chart.notes.push_back(fmt::format("the first {} of {} bars", kMostBars, items.size()));
    items.resize(kMostBars);
  }
  s.y = column(items, 1, units.y);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string name = category_text(items[i].at(0));
    // Bars of composed charts stand over the same names.
    const auto found = std::find(chart.categories.begin(), chart.categories.end(), name);
    const bool is_new =
        found == chart.categories.end() ||
        std::find(s.x.begin(), s.x.end(), static_cast<double>(found - chart.categories.begin())) !=
            s.x.end();
    s.x.push_back(
        static_cast<double>(is_new ? chart.categories.size()
                                   : static_cast<std::size_t>(found - chart.categories.begin())));
    if (is_new) chart.categories.push_back(name);
  }
  return s;
}

// --- the whole ---

bool is_single_plot(const std::string& kind) {
  return kind == "list-plot" || kind == "band-plot" || kind == "plot" || kind == "histogram" ||
         kind == "bar-chart";
}

// Compositions may be nested, within reason.
void add_plots(const ValueView& view, Chart& chart, std::vector<ValueView>& plots, int depth = 0) {
  constexpr int kMostDepth = 50;
  const std::string kind = view_kind(view);
  if (kind == "compose" && depth < kMostDepth) {
    for (const ValueView& part : items_of(view, "plots")) add_plots(part, chart, plots, depth + 1);
    return;
  }
  if (!is_single_plot(kind)) return;
  if (plots.size() < kMostSeries)
    plots.push_back(view);
  else if (chart.notes.empty())
    chart.notes.push_back(fmt::format("the first {} plots are drawn", kMostSeries));
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    if (!is_number(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  bool empty() const { return low > high; }
  // `zero`: areas stand on it. `pad`: a share of the range on both sides.
  Range range(bool zero, double pad) const {
    if (empty()) return {0, 1};
    Range r{low, high};
    if (zero) r = {std::min(0.0, low), std::max(0.0, high)};
    if (r.low == r.high) return {r.low - 0.5, r.high + 0.5};
    const double space = pad * r.size();
    if (!(zero && r.low == 0)) r.low -= space;
    if (!(zero && r.high == 0)) r.high += space;
    return r;
  }
};

void find_ranges(Chart& chart, const Options& options, const Units& units) {
  Extent x, y;
  bool zero = false, edges_only = true;
  for (const Series& s : chart.series) {
    for (const double v : s.x) x.add(v);
    for (const double v : s.y) y.add(v);
    for (const double v : s.low) y.add(v);
    zero = zero || s.shape == Series::Shape::Bins || s.shape == Series::Shape::Bars;
    edges_only = edges_only && s.shape != Series::Shape::Points;
  }
  chart.x = x.range(false, edges_only ? 0 : 0.03);
  chart.y = y.range(zero, 0.06);
  if (!chart.categories.empty())
    chart.x = {-0.5, static_cast<double>(chart.categories.size()) - 0.5};
  if (const auto given = given_range(options, 0, units); given && chart.categories.empty())
    chart.x = *given;
  if (const auto given = given_range(options, 1, units)) chart.y = *given;
}

// Numbers near the ends of the range of doubles are drawn in a power of ten.
Units units_of(const std::vector<ValueView>& plots) {
  double x = 0, y = 0;
  for (const ValueView& plot : plots) {
    const std::vector<ValueView> items = items_of(plot, "data");
    const std::string kind = view_kind(plot);
    if (kind != "bar-chart") x = Unit::largest(column(items, 0), x);
    if (kind == "histogram") continue;
    y = Unit::largest(column(items, 1), y);
    if (kind == "band-plot") y = Unit::largest(column(items, 2), y);
  }
  return {Unit::of(x), Unit::of(y)};
}

std::string in_unit(const std::string& title, const Unit& unit) {
  if (unit.is_one()) return title;
  return (title.empty() ? "× " : title + " × ") + unit.text();
}

}  // namespace

std::string view_kind(const ValueView& value) {
  if (value.kind() != ValueView::Kind::Map) return {};
  const auto kind = value.get("chancel/view");
  return kind && kind->kind() == ValueView::Kind::Keyword ? kind->text() : "";
}

std::optional<Chart> chart_of(const ValueView& value) {
  const std::string kind = view_kind(value);
  if (kind != "compose" && !is_single_plot(kind)) return std::nullopt;
  Chart chart;
  std::vector<ValueView> plots;
  add_plots(value, chart, plots);
  std::size_t palette = 0;
  const Units units = units_of(plots);
  for (const ValueView& plot : plots) {
    const Options options(plot);
    const std::string shape = view_kind(plot);
    Series s = shape == "histogram"   ? histogram_series(plot, options, units, chart.notes)
               : shape == "bar-chart" ? bars_series(plot, options, units, chart)
                                      : points_series(plot, shape, options, units, chart.notes);
    s.colour = colour_of(options);
    s.label = options.text("label");
    if (const auto opacity = options.get("opacity");
        opacity && s.shape == Series::Shape::Bins && opacity->is_number())
      s.opacity = opacity->number();
    // A band has the colour of the line that comes next, which is most often its own.
    if (s.colour.empty()) s.palette = s.shape == Series::Shape::Band ? palette : palette++;
    options.note_unknown(chart.notes);
    chart.series.push_back(std::move(s));
  }
  // Size, ranges and titles of a composition are those of its first plot.
  const Options options(plots.empty() ? value : plots.front());
  chart.width = std::clamp(options.number("plot-size", kUsualWidth), 120.0, 1600.0);
  chart.height =
      std::clamp(chart.width / options.number("aspect-ratio", kGoldenRatio), 60.0, 1600.0);
  for (const ValueView& plot : plots) {
    const Options own(plot);
    if (chart.x_title.empty()) chart.x_title = own.text("x-title");
    if (chart.y_title.empty()) chart.y_title = own.text("y-title");
  }
  chart.x_title = in_unit(chart.x_title, units.x);
  chart.y_title = in_unit(chart.y_title, units.y);
  find_ranges(chart, options, units);
  return chart;
}

std::vector<double> ticks(Range range, std::size_t most) {
  std::vector<double> out;
  if (!(range.size() > 0) || !is_number(range.size()) || most == 0) return out;
  const double rough = range.size() / static_cast<double>(most);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough * (1 - 1e-9)) {
      step = nice * power;
      break;
    }
  // Two at least.
  if (std::floor(range.high / step) - std::ceil(range.low / step) < 1) step /= 2;
  const double first = std::ceil(range.low / step - 1e-9);
  for (double k = first; k * step <= range.high + 1e-9 * step && out.size() <= most + 1; ++k)
    out.push_back(k * step == 0 ? 0 : k * step);
  return out;
}

std::vector<std::string> tick_texts(const std::vector<double>& ticks) {
  std::vector<std::string> out;
  double most = 0, step = ticks.size() > 1 ? ticks[1] - ticks[0] : 0;
  for (const double t : ticks) most = std::max(most, std::fabs(t));
  if (step == 0) step = most;
  for (const double t : ticks) {
    if (most >= 1e6 || (most > 0 && most < 1e-3)) {
      out.push_back(fmt::format("{:.6g}", t));
    } else {
      const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
      out.push_back(fmt::format("{:.{}f}", t, decimals));
    }
  }
  return out;
}

}  // namespace chancel::report
