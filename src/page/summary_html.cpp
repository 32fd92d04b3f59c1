// SPDX-License-Identifier: Apache-2.0
#include "page/summary_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "page/html_text.hpp"
#include "report/draws_view.hpp"
#include "report/text_table.hpp"

namespace chancel::page {
namespace {

using report::short_number;
using Kind = Estimate::Kind;

constexpr std::size_t kMaxRows = 500;   // of each table; summary.csv has all
constexpr std::size_t kMaxValues = 10;  // of a discrete row
constexpr std::size_t kMaxText = 100;   // bytes of a printed value

std::string cell(const std::string& text, const char* mark = "") {
  return fmt::format("<td{}>{}</td>", mark, text);
}

std::string whole(double value) { return std::isnan(value) ? "-" : fmt::format("{:.0f}", value); }

// RunStatistics that call for attention are marked; the bounds are those of the warnings.
std::string ess_cell(double value, unsigned chains) {
  return cell(whole(value), value < 100.0 * std::max(1u, chains) ? " class=\"bad\"" : "");
}
std::string r_hat_cell(double value) {
  return cell(html(report::r_hat_text(value)), value > 1.01 ? " class=\"bad\"" : "");
}

std::string head_cell(const Estimate& row) {
  std::string text = html(row.label());
  if (row.presence < 0.99999)
    text += fmt::format(" <small>in {:.1f} % of draws</small>", 100 * row.presence);
  return "<th scope=\"row\"><code>" + text + "</code></th>";
}

std::string value_text(const std::string& value) {
  if (value.size() <= kMaxText) return html(value);
  std::size_t end = kMaxText;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
  return html(value.substr(0, end)) + "...";
}

std::string real_rows(const Summary& summary, std::size_t* left) {
  std::string out;
  std::size_t rows = 0;
  for (const Estimate& row : summary.estimates) {
    if (row.kind != Kind::Real) continue;
    if (++rows > kMaxRows) {
      ++*left;
      continue;
    }
    out += "<tr>" + head_cell(row);
    for (const double v : {row.mean, row.mcse, row.sd, row.mad, row.q5, row.q50, row.q95})
      out += cell(short_number(v));
    out += ess_cell(row.ess_bulk, summary.chains) + ess_cell(row.ess_tail, summary.chains) +
           r_hat_cell(row.r_hat);
    out += "</tr>\n";
  }
  return out;
}

// The most probable values, integers in their order.
std::string values_text(const Estimate& row, bool errors) {
  std::vector<Support> shown = row.support;
  std::stable_sort(shown.begin(), shown.end(), [](const Support& a, const Support& b) {
    return a.probability > b.probability;
  });
  const std::size_t all = std::max<std::size_t>(row.distinct, shown.size());
  if (shown.size() > kMaxValues) shown.resize(kMaxValues);
  if (row.numeric && row.kind == Kind::Discrete)
    std::stable_sort(shown.begin(), shown.end(), [](const Support& a, const Support& b) {
      return std::stoll(a.value) < std::stoll(b.value);
    });
  std::string values;
  for (const Support& s : shown) {
    // What was enumerated has no error.
    const std::string error =
        std::isnan(s.mcse) || !errors ? "" : fmt::format(" <small>± {:.4f}</small>", s.mcse);
    values += fmt::format("<span class=\"value\"><code>{}</code> {:.4f}{}</span> ",
                          value_text(s.value), s.probability, error);
  }
  if (all > shown.size())
    values += fmt::format("<small>and {}{} more</small>", row.distinct_is_bound ? "at least " : "",
                          all - shown.size());
  return values;
}

std::string discrete_rows(const Summary& summary, std::size_t* left) {
  std::string out;
  std::size_t rows = 0;
  for (const Estimate& row : summary.estimates) {
    if (row.kind == Kind::Real) continue;
    if (++rows > kMaxRows) {
      ++*left;
      continue;
    }
    out += "<tr>" + head_cell(row) + "<td class=\"values\">" + values_text(row, true) + "</td>" +
           cell(row.numeric ? short_number(row.mean) : "") +
           ess_cell(row.ess_bulk, summary.chains) + r_hat_cell(row.r_hat) + "</tr>\n";
  }
  return out;
}

std::string table(const std::string& head, const std::string& rows) {
  return "<div class=\"scroll\"><table class=\"summary\"><thead><tr><th></th>" + head +
         "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

}  // namespace

std::string summary_tables(const Summary& summary, const char* rest) {
  std::string out;
  std::size_t left = 0;
  const std::string reals = real_rows(summary, &left);
  if (!reals.empty())
    out += table(
        "<th>Mean</th><th>MCSE</th><th>StdDev</th><th>MAD</th><th>5 %</th><th>50 %</th><th>95 "
        "%</th>"
        "<th>ESS<sub>bulk</sub></th><th>ESS<sub>tail</sub></th><th>R&#770;</th>",
        reals);
  const std::string discrete = discrete_rows(summary, &left);
  if (!discrete.empty())
    out += table(
        "<th class=\"values\">Probability of each "
        "value</th><th>Mean</th><th>ESS<sub>bulk</sub></th><th>R&#770;</th>",
        discrete);
  if (left > 0) out += fmt::format("<p class=\"note\">{} more rows{}.</p>\n", left, rest);
  if (summary.estimates.empty()) out += "<p class=\"note\">There is nothing to summarise.</p>\n";
  return out;
}

std::string summary_html(const Summary& summary) {
  return "<section id=\"summary\"><h2>Summary</h2>\n" +
         summary_tables(summary, " are in summary.csv") + "</section>\n";
}

std::string draws_html(const Summary& summary) {
  std::string reals, discrete;
  std::size_t left = 0, rows = 0;
  for (const Estimate& row : summary.estimates) {
    if (row.kind != Kind::Real) continue;
    if (++rows > kMaxRows) {
      ++left;
      continue;
    }
    reals += "<tr>" + head_cell(row);
    for (const double v : {row.mean, row.sd, row.q5, row.q50, row.q95})
      reals += cell(short_number(v));
    reals += "</tr>\n";
  }
  std::string out;
  if (!reals.empty())
    out += table("<th>Mean</th><th>StdDev</th><th>5 %</th><th>50 %</th><th>95 %</th>", reals);
  for (const Estimate& row : summary.estimates) {
    if (row.kind == Kind::Real) continue;
    if (++rows > kMaxRows) {
      ++left;
      continue;
    }
    discrete += "<tr>" + head_cell(row) + "<td class=\"values\">" + values_text(row, false) +
                "</td></tr>\n";
  }
  if (!discrete.empty())
    out += table("<th class=\"values\">Probability of each value</th>", discrete);
  if (left > 0) out += fmt::format("<p class=\"note\">… {} more rows</p>\n", left);
  return out + "<p class=\"note\">" + html(report::draws_count_text(summary)) + "</p>\n";
}

namespace {

// Those of the advice that are notes, or those that are not, as a section; empty where there are none.
std::string advice_section(const std::vector<Advice>& advice, bool notes, const char* id,
                           const char* heading) {
  std::string items;
  std::set<std::string> said;  // the same remedy for several troubles
  for (const Advice& a : advice) {
    if ((a.weight == Advice::Weight::Note) != notes) continue;
    const char* kind = a.weight == Advice::Weight::Grave   ? "grave"
                       : a.weight == Advice::Weight::Doubt ? "doubt"
                                                           : "remark";
    const char* word = a.weight == Advice::Weight::Grave   ? "do not trust this"
                       : a.weight == Advice::Weight::Doubt ? "warning"
                                                           : "note";
    items += fmt::format("<li class=\"{}\"><b>{}{}</b> {}", kind, word,
                         a.code.empty() ? "" : " [" + html(a.code) + "]", html(a.message));
    if (!a.hint.empty() && said.insert(a.hint).second)
      items += "<br><small>" + html(a.hint) + "</small>";
    items += "</li>\n";
  }
  if (items.empty()) return {};
  return fmt::format("<section id=\"{}\"><h2>{}</h2>\n<ul class=\"advice\">\n{}</ul></section>\n",
                     id, heading, items);
}

}  // namespace

std::string warnings_html(const std::vector<Advice>& advice) {
  return advice_section(advice, false, "warnings", "Warnings");
}

std::string notes_html(const std::vector<Advice>& advice) {
  return advice_section(advice, true, "notes", "Notes");
}

}  // namespace chancel::page
