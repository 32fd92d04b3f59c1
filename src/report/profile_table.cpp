// SPDX-License-Identifier: Apache-2.0
// The profile of a program: as people read it (the lines that cost something, with their text) and
// as profile.csv.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "chancel/run_directory.hpp"
#include "chancel/summary.hpp"
#include "report/csv_text.hpp"
#include "report/text_table.hpp"

namespace chancel {
namespace {

constexpr std::size_t kMostText = 60;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

std::string shown(const std::vector<std::string>& lines, std::size_t number) {
  if (number == 0 || number > lines.size()) return "";
  std::string text = lines[number - 1];
  text.erase(0, text.find_first_not_of(" \t"));
  if (text.size() > kMostText) text = text.substr(0, kMostText - 3) + "...";
  return text;
}

}  // namespace

std::string profile_table(const std::vector<LineProfile>& profile, const std::string& source,
                          bool colour) {
  double seconds = 0;
  for (const LineProfile& p : profile) seconds += p.seconds;
  const std::vector<std::string> lines = lines_of(source);
  report::TextTable table;
  table.add_row(
      {"Line", "Time", "Applications", "Draws", "Observes", "Weight variance", "ESS loss", ""});
  std::string out;
  for (const LineProfile& p : profile) {
    const bool weighs = p.observes > 0;
    table.add_row({fmt::format("{}", p.line),
                   fmt::format("{:.1f} %", seconds > 0 ? 100 * p.seconds / seconds : 0),
                   report::short_number(p.applications), report::short_number(p.samples),
                   report::short_number(p.observes),
                   weighs ? report::short_number(p.weight_variance) : "-",
                   weighs ? fmt::format("{:.1f} %", 100 * p.ess_loss) : "-", ""});
  }
  out += "Profile: means of one execution\n" + table.text(colour);
  // The text of the lines, apart: it would widen every column.
  for (const LineProfile& p : profile)
    out += fmt::format("{:>6} | {}\n", p.line, shown(lines, p.line));
  return out;
}

std::string profile_csv(const std::vector<LineProfile>& profile) {
  std::string out = "line,samples,observes,applications,seconds,weight_variance,ess_loss\n";
  for (const LineProfile& p : profile) {
    report::append_integer(out, static_cast<std::int64_t>(p.line));
    for (const double x :
         {p.samples, p.observes, p.applications, p.seconds, p.weight_variance, p.ess_loss}) {
      out += ',';
      report::append_number_cell(out, x);
    }
    out += '\n';
  }
  return out;
}

}  // namespace chancel
