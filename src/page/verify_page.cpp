// SPDX-License-Identifier: Apache-2.0
// The page of a calibration: the verdict, and for each label a histogram of ranks with the range
// that uniform ranks leave seldom, and their distribution function less the diagonal with its band.
// Drawings are SVG in the page; there is no script.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chancel/verify.hpp"
#include "page/html_text.hpp"

namespace chancel {

namespace {

constexpr double kWidth = 300;
constexpr double kHeight = 120;
constexpr std::size_t kBins = 16;

constexpr const char* kStyle = R"(<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 68em; padding: 0 1em; color: #222; }
h1 { font-size: 1.4em } h2 { font-size: 1.05em; margin: 1.4em 0 .3em }
table { border-collapse: collapse } td, th { padding: .1em .8em .1em 0; text-align: right }
td:first-child, th:first-child { text-align: left }
.bad { color: #b02a37; font-weight: 600 } .good { color: #146c43; font-weight: 600 }
svg { background: #f7f7f9; margin-right: 1em } .bar { fill: #7a9cc6 } .range { fill: #00000014 }
.line { fill: none; stroke: #1f4e8c; stroke-width: 1.5 } .off .bar { fill: #d08a90 } .off .line { stroke: #b02a37 }
</style>
)";

std::string histogram(const std::vector<double>& ranks) {
  std::array<double, kBins> counts{};
  for (const double r : ranks) ++counts[std::min(kBins - 1, static_cast<std::size_t>(r * kBins))];
  const double expected = static_cast<double>(ranks.size()) / kBins;
  const double spread = 3 * std::sqrt(expected * (1 - 1.0 / kBins));
  const double most =
      std::max(*std::max_element(counts.begin(), counts.end()), expected + spread) * 1.05;
  const auto y = [&](double count) { return kHeight * (1 - std::max(0.0, count) / most); };
  std::string out =
      fmt::format("<svg width='{0}' height='{1}' viewBox='0 0 {0} {1}'>", kWidth, kHeight);
  const double bin = kWidth / kBins;
  for (std::size_t i = 0; i < kBins; ++i)
    out += fmt::format("<rect class='bar' x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}'/>",
                       static_cast<double>(i) * bin + 1, y(counts[i]), bin - 2,
                       kHeight - y(counts[i]));
  return out +
         fmt::format("<rect class='range' x='0' y='{:.1f}' width='{}' height='{:.1f}'/></svg>",
                     y(expected + spread), kWidth, y(expected - spread) - y(expected + spread));
}

// The distribution function of the ranks less the diagonal.
std::string difference(const CalibratedLabel& label, const Verification& v) {
  std::vector<double> sorted = label.ranks;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t places = v.band_low.size();
  double most = 0.05;
  const auto at = [&](std::size_t i) {
    return static_cast<double>(i + 1) / static_cast<double>(places + 1);
  };
  std::vector<double> line;
  for (std::size_t i = 0; i < places; ++i) {
    const auto below = std::upper_bound(sorted.begin(), sorted.end(), at(i)) - sorted.begin();
    line.push_back(static_cast<double>(below) / static_cast<double>(sorted.size()) - at(i));
    most = std::max({most, std::fabs(line.back()), v.band_high[i] - at(i), at(i) - v.band_low[i]});
  }
  const auto x = [&](std::size_t i) { return at(i) * kWidth; };
  const auto y = [&](double d) { return kHeight / 2 * (1 - d / (1.05 * most)); };
  std::string band, path;
  for (std::size_t i = 0; i < places; ++i) {
    band += fmt::format("{:.1f},{:.1f} ", x(i), y(v.band_high[i] - at(i)));
    path += fmt::format("{:.1f},{:.1f} ", x(i), y(line[i]));
  }
  for (std::size_t i = places; i-- > 0;)
    band += fmt::format("{:.1f},{:.1f} ", x(i), y(v.band_low[i] - at(i)));
  return fmt::format(
      "<svg width='{0}' height='{1}' viewBox='0 0 {0} {1}'><polygon class='range' points='{2}'/>"
      "<polyline class='line' points='{3}'/></svg>",
      kWidth, kHeight, band, path);
}

}  // namespace

std::string verify_page(const Verification& v, const std::string& title) {
  std::string out = fmt::format(
      "<!doctype html><html lang='en'><meta charset='utf-8'><title>{0}</title>{1}<h1>{0}</h1>",
      page::html(title), kStyle);
  out += fmt::format(
      "<p class='{}'>{}</p><p>Engine {}, {} simulated data sets. A right program and engine fail "
      "with "
      "probability {:g} at most. Left: ranks of the values that data were simulated with, among "
      "posterior draws; grey is three standard deviations around the expected height. Right: their "
      "distribution function less the diagonal, which must stay inside the grey band.</p>",
      v.passed ? "good" : "bad",
      v.passed ? "Passed: all ranks look uniform." : "Failed: some ranks are not uniform.",
      page::html(v.engine), v.datasets, v.false_alarm);
  for (const CalibratedLabel& label : v.labels)
    out += fmt::format("<h2>{} <span class='{}'>p = {:.3g}</span></h2><div class='{}'>{}{}</div>",
                       page::html(label.label), label.uniform ? "good" : "bad", label.p_value,
                       label.uniform ? "" : "off", histogram(label.ranks), difference(label, v));
  if (v.observes.empty()) return out + "</html>\n";
  out +=
      "<h2>Simulated values</h2><table><tr><th>observe in line<th>values<th>mean<th>sd<th>5 %"
      "<th>50 %<th>95 %</tr>";
  for (const PriorPredictive& p : v.observes)
    out += fmt::format("<tr><td>{}<td>{}<td>{:.4g}<td>{:.4g}<td>{:.4g}<td>{:.4g}<td>{:.4g}</tr>",
                       p.line, p.values, p.mean, p.sd, p.q5, p.q50, p.q95);
  return out + "</table></html>\n";
}

}  // namespace chancel
