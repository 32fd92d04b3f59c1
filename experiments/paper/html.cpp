// SPDX-License-Identifier: Apache-2.0
#include "paper/html.hpp"

#include <fmt/format.h>

#include <cmath>

namespace chancel::paper {

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

std::string html_table(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const std::string& cell : head) out += "<th>" + cell + "</th>";
  out += "</tr></thead><tbody>";
  for (const auto& row : rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + cell + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>";
}

std::string number(double x) {
  if (!std::isfinite(x)) return "–";
  if (x == 0) return "0";
  const double size = std::fabs(x);
  if (size < 1e-3 || size >= 1e5) {
    const std::string text = fmt::format("{:.1e}", x);  // 1.2e-04
    const std::size_t e = text.find('e');
    return fmt::format("{}·10<sup>{}</sup>", text.substr(0, e), std::stoi(text.substr(e + 1)));
  }
  if (size >= 100) return fmt::format("{:.0f}", x);
  return fmt::format("{:.{}f}", x,
                     size >= 10     ? 1
                     : size >= 1    ? 2
                     : size >= 0.1  ? 3
                     : size >= 0.01 ? 4
                                    : 5);
}

std::string count_text(double x) {
  std::string digits = fmt::format("{:.0f}", x);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), "&#8239;");
  return digits;
}

}  // namespace chancel::paper
