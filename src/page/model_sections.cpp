// SPDX-License-Identifier: Apache-2.0
#include "page/model_sections.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "page/figure.hpp"
#include "report/divergence_text.hpp"

namespace chancel::page {
namespace {

constexpr std::size_t kMostStatistics = 10;  // report.js counts them so

}  // namespace

std::string checks_html(const Json& checks, bool prior) {
  if (checks.empty()) return {};
  std::string out = fmt::format("<section id=\"checks\"><h2>{} predictive checks</h2>\n",
                                prior ? "Prior" : "Posterior");
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const Json& check = checks[i];
    const std::string label = check.at("label");
    out += "<h3><code>" + html(label) + "</code> against the data <code>" +
           html(check.at("data").get<std::string>()) +
           "</code></h3>\n<div class=\"charts checks\">\n";
    if (check.contains("curves"))
      out += figure("checkCurves", i, "Observed and replicated data", label, false);
    if (check.contains("bars")) out += figure("checkBars", i, "Shares of the values", label, false);
    out += figure("checkIntervals", i, "Each observation and its 90 % interval", label, true);
    for (std::size_t s = 0; s < check.at("statistics").size(); ++s)
      out += figure("checkStatistic", i * kMostStatistics + s,
                    check["statistics"][s].at("name").get<std::string>() + " of the data", label,
                    false);
    out += "</div>\n";
  }
  return out + "</section>\n";
}

std::string pairs_html(const Json& pairs, bool chosen) {
  if (pairs.is_null()) return {};
  const std::size_t count = pairs.at("labels").size();
  std::string out = "<section id=\"pairs\"><h2>Pairs</h2>\n";
  const bool diverged = !pairs.at("divergent").front().empty();
  out += "<p class=\"note\">Draws, and correlations of the labels";
  if (diverged) out += "; larger and orange: draws whose trajectory diverged";
  if (chosen)
    out += fmt::format(
        ". Of all labels those that {}; <code>chancel report --pairs</code> takes others",
        diverged ? "tell divergent draws from others, or vary with such a label"
                 : "vary together most");
  out += ".</p>\n";
  out += fmt::format("<div class=\"scroll\"><div class=\"pairs\" style=\"--count: {}\">\n", count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const std::string row = pairs["labels"][i], column = pairs["labels"][j];
      if (j < i) {
        out += canvas("pair", i * count + j, row + " against " + column) + "\n";
      } else if (j == i) {
        out += "<div class=\"own\"><code>" + html(row) + "</code>" +
               canvas("own", i, "distribution of " + row) + "</div>\n";
      } else {
        const double r = pairs["correlation"][i][j];
        out +=
            fmt::format("<div class=\"r\" style=\"--r: {:.2f}\" title=\"{} and {}\">{:.2f}</div>\n",
                        std::fabs(r), html(row), html(column), r + 0.0);
      }
    }
  return out + "</div></div></section>\n";
}

namespace {

// How far off their means the draws of the program are where trajectories diverge.
std::string places_html(const RunStatistics& statistics) {
  constexpr std::size_t kMost = 8;
  constexpr double kWidest = 3;  // standard deviations
  std::string out = fmt::format(
      "<figure><figcaption>Where trajectories diverge: {}</figcaption><table class=\"places\">\n",
      html(report::divergences_text(statistics)));
  std::size_t rows = 0;
  for (const DivergencePlace& place : statistics.divergence_places) {
    if (++rows > kMost) break;
    const double share = std::fmin(std::fabs(place.shift) / kWidest, 1);
    const std::string off = fmt::format("{:.2f} sd {}", std::fabs(place.shift),
                                        !place.ordered    ? "off"
                                        : place.shift < 0 ? "below"
                                                          : "above");
    out += fmt::format(
        "<tr{}><th><code>{}</code></th><td><a href=\"#L{}\">line {}</a></td><td>{}</td><td "
        "class=\"shift\"><span class=\"{}\" style=\"width: {:.0f}%\"></span></td></tr>\n",
        place.gathers ? " class=\"gathers\"" : "", html(place.name.empty() ? "sample" : place.name),
        place.line, place.line, off, place.shift < 0 ? "below" : "above", 50 * share);
  }
  return out + "</table></figure>\n";
}

}  // namespace

std::string moves_html(const Json& energy, const RunStatistics& statistics) {
  if (energy.is_null()) return {};
  std::string out =
      "<section id=\"moves\"><h2>Moves</h2>\n<div class=\"charts pair\">\n" +
      figure("energy", 0, "Energy of the draws, and its changes from draw to draw", "moves", false);
  if (statistics.divergences > 0 && !statistics.divergence_places.empty())
    out += places_html(statistics);
  return out + "</div></section>\n";
}

}  // namespace chancel::page
