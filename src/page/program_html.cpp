// SPDX-License-Identifier: Apache-2.0
#include "page/program_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "page/html_text.hpp"
#include "page/source_view.hpp"
#include "report/text_table.hpp"

namespace chancel::page {
namespace {

// The columns of a profile that are shown, as shares of their sum or of one.
struct Margin {
  std::string_view column, title;
  bool of_one;
  std::size_t at = 0;
  double sum = 0;
};
constexpr Margin kMargins[] = {
    {"seconds", "time", false}, {"applications", "calls", false}, {"ess_loss", "ESS loss", true}};

std::string margin_cell(const std::string& text, double share, const std::string& title) {
  return fmt::format(
      "<td class=\"margin\" title=\"{}\"><span class=\"bar\" style=\"width:{:.1f}%\"></span><span "
      "class=\"figure\">{}</span></td>",
      html(title), 100 * std::clamp(share, 0.0, 1.0), html(text));
}

}  // namespace

std::string program_html(const std::string& name, const std::string& source,
                         const Barriers& barriers, double particles, const Profile& profile) {
  const bool has_ess = !barriers.by_line.empty();
  double most = particles;
  for (const auto& [line, b] : barriers.by_line) most = std::max(most, b.ess_most);
  std::vector<Margin> margins;
  for (const Margin& known : kMargins) {
    const auto found = std::find(profile.columns.begin(), profile.columns.end(), known.column);
    if (found == profile.columns.end()) continue;
    Margin margin = known;
    margin.at = static_cast<std::size_t>(found - profile.columns.begin());
    for (const auto& [line, row] : profile.by_line) margin.sum += row[margin.at];
    if (margin.sum > 0) margins.push_back(margin);
  }

  std::string out =
      "<section id=\"program\"><h2>Program</h2>\n<p class=\"note\"><code>" + html(name) + "</code>";
  if (has_ess)
    out += fmt::format(". ESS: mean effective sample size at the observes of a line{}.",
                       particles > 0 ? fmt::format(", of {:.0f} particles", particles) : "");
  if (!margins.empty())
    out += " Time, calls and loss of effective sample size: the profile, by line.";
  out += "</p>\n<div class=\"scroll\"><table class=\"program\">\n<thead><tr>";
  if (has_ess) out += "<th>ESS</th>";
  for (const Margin& margin : margins) out += fmt::format("<th>{}</th>", margin.title);
  out += "<th></th><th></th></tr></thead>\n<tbody>\n";
  std::size_t number = 0;
  for (const std::string& line : coloured_lines(source)) {
    ++number;
    out += fmt::format("<tr id=\"L{}\">", number);
    if (has_ess) {
      const auto found = barriers.by_line.find(number);
      if (found == barriers.by_line.end() || found->second.count == 0) {
        out += "<td></td>";
      } else {
        const BarrierStatistics& b = found->second;
        out += margin_cell(
            report::short_number(b.mean_ess()), most > 0 ? b.mean_ess() / most : 0,
            fmt::format("ESS {:.1f} on average, {:.1f} to {:.1f}; resampled {} of {} times",
                        b.mean_ess(), b.ess_least, b.ess_most, b.resampled, b.count));
      }
    }
    const auto found = profile.by_line.find(number);
    for (const Margin& margin : margins) {
      const double value = found == profile.by_line.end() ? 0 : found->second[margin.at];
      if (value == 0) {
        out += "<td></td>";
        continue;
      }
      const double share = margin.of_one ? value : value / margin.sum;
      out += margin_cell(fmt::format("{:.1f} %", 100 * share), share,
                         fmt::format("{} {}", margin.column, report::short_number(value)));
    }
    out +=
        fmt::format("<td class=\"number\">{}</td><td class=\"code\">{}</td></tr>\n", number, line);
  }
  return out + "</tbody></table></div></section>\n";
}

}  // namespace chancel::page
